(** The Littlestone dimension of a finite class, by its definition, and two proved checkers. *)
From Coq Require Import Ascii String List NArith Arith Bool Lia.
Import ListNotations.

(** * What is claimed: definitions.  (Read these; nothing else has to be believed.) *)

(** A hypothesis is a number: its label at point [x] is its bit [x].  A class is a list of them. *)
Notation label := N.testbit.
Definition class := list N.

(** A row of a table is a text, "0110", its first letter the label at point 0. *)
Fixpoint row (labels : string) : N :=
  match labels with
  | EmptyString => 0
  | String "1" labels => N.succ_double (row labels)
  | String _ labels => N.double (row labels)
  end.
Definition rows (table : list string) : class := map row table.

(** A mistake tree.  The answer 0 leads to the left, the answer 1 to the right. *)
Inductive tree := Leaf | Node (x : N) (left right : tree).

Inductive complete : nat -> tree -> Prop :=
| complete_leaf : complete 0 Leaf
| complete_node d x l r : complete d l -> complete d r -> complete (S d) (Node x l r).

(** A root-to-leaf path is a sequence of examples. *)
Inductive path : tree -> list (N * bool) -> Prop :=
| path_leaf : path Leaf []
| path_left x l r p : path l p -> path (Node x l r) ((x, false) :: p)
| path_right x l r p : path r p -> path (Node x l r) ((x, true) :: p).

Definition agrees (h : N) (p : list (N * bool)) := Forall (fun e => label h (fst e) = snd e) p.
Definition shattered (H : class) (T : tree) := forall p, path T p -> exists h, In h H /\ agrees h p.
Definition Ldim_ge (H : class) (d : nat) := exists T, complete d T /\ shattered H T.

(** Ldim(H) = d: "the depth of the largest complete tree that is shattered by H". *)
Definition Littlestone (H : class) (d : nat) :=
  Ldim_ge H d /\ forall k, Ldim_ge H k -> k <= d.

(** * Lemmas *)

Definition side (H : class) (x : N) (b : bool) : class :=
  filter (fun h => Bool.eqb (label h x) b) H.

Lemma in_side H x b h : In h (side H x b) <-> In h H /\ label h x = b.
Proof. unfold side. rewrite filter_In, eqb_true_iff. tauto. Qed.

Lemma shattered_leaf H : shattered H Leaf <-> H <> [].
Proof.
  split.
  - intros S ->. destruct (S _ path_leaf) as (h & [] & _).
  - intros nonempty p P. inversion P; subst. destruct H as [|h H]; [easy|].
    exists h. split; [now left | constructor].
Qed.

Lemma shattered_node H x l r :
  shattered H (Node x l r) <-> shattered (side H x false) l /\ shattered (side H x true) r.
Proof.
  split.
  - intros S. split; intros p P.
    + destruct (S _ (path_left x l r p P)) as (h & I & A). inversion A; subst.
      exists h. now rewrite in_side.
    + destruct (S _ (path_right x l r p P)) as (h & I & A). inversion A; subst.
      exists h. now rewrite in_side.
  - intros [L R] p P. inversion P; subst.
    + destruct (L _ H4) as (h & I & A). rewrite in_side in I. exists h.
      split; [easy | now constructor].
    + destruct (R _ H4) as (h & I & A). rewrite in_side in I. exists h.
      split; [easy | now constructor].
Qed.

Lemma ge_0 H : Ldim_ge H 0 <-> H <> [].
Proof.
  rewrite <- shattered_leaf. split.
  - intros (T & C & S). now inversion C; subst.
  - exists Leaf. split; [constructor | easy].
Qed.

Lemma ge_S H d :
  Ldim_ge H (S d) <-> exists x, Ldim_ge (side H x false) d /\ Ldim_ge (side H x true) d.
Proof.
  split.
  - intros (T & C & S). inversion C; subst. rewrite shattered_node in S.
    exists x. split; [exists l | exists r]; tauto.
  - intros (x & (l & Cl & Sl) & (r & Cr & Sr)). exists (Node x l r).
    split; [now constructor | now rewrite shattered_node].
Qed.

Lemma ge_sub H K d : (forall h, In h H -> In h K) -> Ldim_ge H d -> Ldim_ge K d.
Proof.
  intros sub (T & C & S). exists T. split; [easy|]. intros p P.
  destruct (S p P) as (h & I & A). eauto.
Qed.

Lemma ge_pred H d : Ldim_ge H (S d) -> Ldim_ge H d.
Proof.
  revert H. induction d; intros H G; rewrite ge_S in G; destruct G as (x & F & T).
  - rewrite ge_0 in *. intros ->. now apply F.
  - rewrite ge_S. exists x. split; now apply IHd.
Qed.

Lemma ge_le H d k : k <= d -> Ldim_ge H d -> Ldim_ge H k.
Proof. induction 1; [easy|]. intros G. now apply IHle, ge_pred. Qed.

Lemma sides_length H x : length (side H x false) + length (side H x true) = length H.
Proof. induction H; simpl; [easy|]. destruct (label a x); simpl; lia. Qed.

(** Fewer than 2^d hypotheses shatter no complete tree of depth d. *)
Theorem ge_length d H : Ldim_ge H d -> 2 ^ d <= length H.
Proof.
  revert H. induction d; intros H G.
  - rewrite ge_0 in G. destruct H; simpl; [easy | lia].
  - rewrite ge_S in G. destruct G as (x & F & T). apply IHd in F, T.
    pose proof (sides_length H x). simpl. lia.
Qed.

(** * The checker of a shattered tree *)

Fixpoint shatters (H : class) (d : nat) (T : tree) : bool :=
  match T, d with
  | Leaf, 0 => match H with [] => false | _ => true end
  | Node x l r, S d => if shatters (side H x false) d l then shatters (side H x true) d r else false
  | _, _ => false
  end.

Theorem shatters_sound H d T : shatters H d T = true -> Ldim_ge H d.
Proof.
  revert H d. induction T; intros H [|d] E; try easy.
  - rewrite ge_0. now destruct H.
  - simpl in E. destruct (shatters (side H x false) d T1) eqn:F; [|easy].
    rewrite ge_S. exists x. split; [now apply IHT1 | now apply IHT2].
Qed.

(** * The checker of an upper bound
    A version space is a number V whose bit i says whether row i is in it.  A certificate names,
    for the points where counting does not suffice, a side and why its dimension is smaller. *)

Fixpoint select (V : N) (H : class) : class :=
  match H with
  | [] => []
  | h :: H => if N.odd V then h :: select (N.div2 V) H else select (N.div2 V) H
  end.

Fixpoint column (x : N) (H : class) : N :=
  match H with
  | [] => 0
  | h :: H => if label h x then N.succ_double (column x H) else N.double (column x H)
  end.

Fixpoint ones_pos (p : positive) : nat :=
  match p with xH => 1 | xO p => ones_pos p | xI p => S (ones_pos p) end.
Definition ones (V : N) : nat := match V with N0 => 0 | Npos p => ones_pos p end.

(** Fewer than 2^d ones (stops counting early, and never builds 2^d in unary). *)
Fixpoint few_pos (p : positive) (budget : N) : bool :=
  match budget with
  | N0 => false
  | _ => match p with
         | xH => N.ltb 1 budget
         | xO p => few_pos p budget
         | xI p => few_pos p (N.pred budget)
         end
  end.
Definition few (V : N) (d : nat) : bool :=
  match V with N0 => true | Npos p => few_pos p (N.shiftl 1 (N.of_nat d)) end.

Definition part (V c : N) (b : bool) : N := if b then N.land V c else N.ldiff V c.

Lemma few_pos_ones p budget : few_pos p budget = true -> (N.of_nat (ones_pos p) < budget)%N.
Proof.
  revert budget. induction p; intros budget; simpl; destruct budget; try easy.
  - intros E. apply IHp in E. lia.
  - intros E. now apply IHp in E.
  - rewrite N.ltb_lt. easy.
Qed.

Lemma few_ones V d : few V d = true -> ones V < 2 ^ d.
Proof.
  destruct V; unfold few.
  - intros _. simpl. now apply Nat.neq_0_lt_0, Nat.pow_nonzero.
  - intros E. apply few_pos_ones in E. rewrite N.shiftl_1_l in E.
    replace 2%N with (N.of_nat 2) in E by easy. rewrite <- Nat2N.inj_pow in E. simpl. lia.
Qed.

Lemma select_ones V H : length (select V H) <= ones V.
Proof.
  revert V. induction H as [|h H IH]; intros V; simpl; [lia|].
  destruct V as [|[p|p|]]; simpl.
  - apply (IH 0%N).
  - specialize (IH (Npos p)). simpl in IH. lia.
  - apply (IH (Npos p)).
  - specialize (IH 0%N). simpl in IH. lia.
Qed.

Lemma div2_land a b : N.div2 (N.land a b) = N.land (N.div2 a) (N.div2 b).
Proof. now rewrite !N.div2_spec, N.shiftr_land. Qed.
Lemma div2_ldiff a b : N.div2 (N.ldiff a b) = N.ldiff (N.div2 a) (N.div2 b).
Proof. now rewrite !N.div2_spec, N.shiftr_ldiff. Qed.
Lemma odd_land a b : N.odd (N.land a b) = N.odd a && N.odd b.
Proof. now rewrite <- !N.bit0_odd, N.land_spec. Qed.
Lemma odd_ldiff a b : N.odd (N.ldiff a b) = N.odd a && negb (N.odd b).
Proof. now rewrite <- !N.bit0_odd, N.ldiff_spec. Qed.

Lemma select_part V H x b : select (part V (column x H) b) H = side (select V H) x b.
Proof.
  revert V. induction H as [|h H IH]; intros V; [easy|].
  assert (C : N.div2 (column x (h :: H)) = column x H /\ N.odd (column x (h :: H)) = label h x).
  { simpl. destruct (label h x); destruct (column x H); easy. }
  destruct C as [C1 C2]. unfold part in *. cbn [select].
  destruct b; rewrite ?odd_land, ?odd_ldiff, ?div2_land, ?div2_ldiff, C1, C2;
    destruct (N.odd V), (label h x) eqn:E; cbn [andb negb side filter];
    rewrite ?E; cbn; try (f_equal; apply (IH (N.div2 V))); apply (IH (N.div2 V)).
Qed.

Lemma select_all H V : (forall i, i < length H -> N.testbit_nat V i = true) -> select V H = H.
Proof.
  revert V. induction H as [|h H IH]; intros V A; [easy|]. simpl.
  pose proof (A 0 (Nat.lt_0_succ _)) as A0.
  rewrite IH.
  - destruct V as [|[]]; easy.
  - intros i I. specialize (A (S i)). simpl in A. assert (B : S i < S (length H)) by lia.
    specialize (A B). destruct V as [|[]]; easy.
Qed.

(** Without any certificate: the recursion itself, with counting. *)
Fixpoint below (columns : list N) (d : nat) (V : N) : bool :=
  if few V d then true else
  match d with
  | 0 => false
  | S d => forallb (fun c => if below columns d (N.land V c) then true
                             else below columns d (N.ldiff V c)) columns
  end.

Definition all_rows (H : class) : N := N.ones (N.of_nat (length H)).
Fixpoint columns (m : nat) (H : class) : list N :=
  match m with 0 => [] | S m => column 0 H :: columns m (map N.div2 H) end.
Definition fits (m : nat) (H : class) : bool := forallb (fun h => N.size h <=? N.of_nat m)%N H.

Lemma all_rows_select H : select (all_rows H) H = H.
Proof.
  apply select_all. intros i I. unfold all_rows.
  rewrite <- Ntestbit_Nbit, N.ones_spec_low; [easy | lia].
Qed.

Lemma in_select V H h : In h (select V H) -> In h H.
Proof.
  revert V. induction H as [|g H IH]; intros V I; simpl in *; [easy|].
  destruct (N.odd V); simpl in I; [destruct I; [now left|]|]; right; eauto.
Qed.

Lemma column_div2 x H : column x (map N.div2 H) = column (N.succ x) H.
Proof. induction H; simpl; [easy|]. now rewrite IHlist, N.testbit_succ_r_div2 by apply N.le_0_l. Qed.

Lemma in_columns m H x : (x < N.of_nat m)%N -> In (column x H) (columns m H).
Proof.
  revert H x. induction m; intros H x L; [lia|]. destruct (N.eq_dec x 0) as [->|nz]; [now left|].
  right. rewrite <- (N.succ_pred x), <- column_div2 by easy. apply IHm. lia.
Qed.

(** At a point beyond the table every label is 0. *)
Lemma beyond m H x V d : fits m H = true -> (N.of_nat m <= x)%N ->
  ~ Ldim_ge (side (select V H) x true) d.
Proof.
  intros F L G. apply (ge_le _ d 0) in G; [|lia]. rewrite ge_0 in G. apply G.
  destruct (side (select V H) x true) as [|h K] eqn:E; [easy|]. exfalso.
  assert (I : In h (side (select V H) x true)) by (rewrite E; now left).
  rewrite in_side in I. destruct I as [I B].
  apply in_select in I. rename I into J.
  unfold fits in F. rewrite forallb_forall in F. specialize (F h J). rewrite N.leb_le in F.
  destruct (N.eq_dec h 0) as [->|nz]; [now rewrite N.bits_0 in B|].
  rewrite N.bits_above_log2 in B; [easy|]. rewrite N.size_log2 in F by easy. lia.
Qed.

Lemma not_S m H V d : fits m H = true ->
  (forall c, In c (columns m H) -> exists b, ~ Ldim_ge (select (part V c b) H) d) ->
  ~ Ldim_ge (select V H) (S d).
Proof.
  intros F A G. rewrite ge_S in G. destruct G as (x & G0 & G1).
  destruct (N.lt_ge_cases x (N.of_nat m)) as [L|L].
  - destruct (A (column x H)) as (b & B).
    + now apply in_columns.
    + apply B. rewrite select_part. now destruct b.
  - now apply (beyond m H x V d) in G1.
Qed.

Lemma not_few H V d : few V d = true -> ~ Ldim_ge (select V H) d.
Proof.
  intros F G. apply few_ones in F. apply ge_length in G. pose proof (select_ones V H). lia.
Qed.

Theorem below_sound m H d V :
  fits m H = true -> below (columns m H) d V = true -> ~ Ldim_ge (select V H) d.
Proof.
  intros F. revert V. induction d; intros V E; simpl in E;
    (destruct (few V _) eqn:W in E; [now apply not_few|]); [easy|].
  apply (not_S m); [easy|]. intros c I. rewrite forallb_forall in E. specialize (E c I).
  destruct (below (columns m H) d (N.land V c)) eqn:B.
  - exists true. now apply IHd.
  - exists false. now apply IHd.
Qed.

(** With a certificate: the refuted sides of a version space, each with its own certificate. *)
Inductive refutation := Sides (sides : list (N * bool * refutation)).

Definition inside (a b : N) : bool := N.eqb (N.ldiff a b) 0.

Fixpoint refutes (cs : list N) (d : nat) (V : N) (R : refutation) : bool :=
  if few V d then true else
  match d, R with
  | 0, _ => false
  | S d, Sides sides =>
    let parts := map (fun s => match s with (x, b, _) => part V (nth (N.to_nat x) cs 0%N) b end) sides in
    if forallb (fun s => match s with (x, b, R) => refutes cs d (part V (nth (N.to_nat x) cs 0%N) b) R end) sides
    then forallb (fun c => let one := N.land V c in if few one d then true else
                           let zero := N.ldiff V c in if few zero d then true else
                           if existsb (fun p => if N.eqb one p then true else N.eqb zero p) parts then true else
                           existsb (fun p => if inside one p then true else inside zero p) parts) cs
    else false
  end.

Lemma select_inside a b H : inside a b = true -> forall h, In h (select a H) -> In h (select b H).
Proof.
  unfold inside. rewrite N.eqb_eq. revert a b. induction H as [|g H IH]; intros a b E h I; [easy|].
  simpl in *.
  assert (E' : N.ldiff (N.div2 a) (N.div2 b) = 0%N) by (rewrite <- div2_ldiff; now rewrite E).
  assert (O : N.odd a && negb (N.odd b) = false) by (rewrite <- odd_ldiff; now rewrite E).
  destruct (N.odd a), (N.odd b); simpl in *; try easy; try (destruct I as [I|I]; [now left|]);
    try right; now apply (IH _ _ E').
Qed.

(** Equality is only a quicker way to see inclusion. *)
Lemma covered one zero parts :
  (if existsb (fun p => if N.eqb one p then true else N.eqb zero p) parts then true
   else existsb (fun p => if inside one p then true else inside zero p) parts) = true ->
  existsb (fun p => if inside one p then true else inside zero p) parts = true.
Proof.
  destruct (existsb _ parts) eqn:E; [intros _ | easy]. rewrite existsb_exists in *.
  destruct E as (p & I & E). exists p. split; [easy|]. unfold inside.
  destruct (N.eqb_spec one p) as [->|_]; [now rewrite N.ldiff_diag|].
  apply N.eqb_eq in E as ->. rewrite N.ldiff_diag. now destruct (N.ldiff one p =? 0)%N.
Qed.

Theorem refutes_sound m H d V R :
  fits m H = true -> refutes (columns m H) d V R = true -> ~ Ldim_ge (select V H) d.
Proof.
  intros F. revert V R. induction d; intros V [sides] E; simpl in E;
    (destruct (few V _) eqn:W in E; [now apply not_few|]); [easy|].
  destruct (forallb _ sides) eqn:A in E; [|easy]. rewrite forallb_forall in A, E.
  apply (not_S m); [easy|]. intros c I. specialize (E c I). cbv zeta in E.
  destruct (few (N.land V c) d) eqn:F1; [exists true; now apply not_few|].
  destruct (few (N.ldiff V c) d) eqn:F0; [exists false; now apply not_few|].
  apply covered in E. rewrite existsb_exists in E. destruct E as (p & Ip & E). rewrite in_map_iff in Ip.
  destruct Ip as ([[x b] R] & Ep & Is). subst p.
  pose proof (A _ Is) as B. simpl in B. apply IHd in B.
  destruct (inside (N.land V c) _) eqn:S1.
  - exists true. intros G. apply B. exact (ge_sub _ _ _ (select_inside _ _ H S1) G).
  - exists false. intros G. apply B. exact (ge_sub _ _ _ (select_inside _ _ H E) G).
Qed.

(** * The theorems that an exported file uses *)

Theorem at_least (H : class) (d : nat) (T : tree) : shatters H d T = true -> Ldim_ge H d.
Proof. apply shatters_sound. Qed.

Theorem less_than (m : nat) (H : class) (d : nat) (R : refutation) :
  fits m H && refutes (columns m H) d (all_rows H) R = true -> ~ Ldim_ge H d.
Proof.
  rewrite andb_true_iff. intros [F U]. apply refutes_sound in U; [|easy]. now rewrite all_rows_select in U.
Qed.

Theorem by_search (m : nat) (H : class) (d : nat) (T : tree) :
  fits m H = true -> shatters H d T = true ->
  below (columns m H) (S d) (all_rows H) = true -> Littlestone H d.
Proof.
  intros F L U. split; [now apply shatters_sound in L|]. intros k G.
  apply below_sound in U; [|easy]. rewrite all_rows_select in U.
  destruct (le_lt_dec k d); [easy|]. exfalso. apply U. now apply (ge_le H k).
Qed.

Theorem by_certificate (m : nat) (H : class) (d : nat) (T : tree) (R : refutation) :
  shatters H d T && (fits m H && refutes (columns m H) (S d) (all_rows H) R) = true -> Littlestone H d.
Proof.
  rewrite andb_true_iff. intros [L U]. apply less_than in U. split; [now apply (at_least H d T)|].
  intros k G. destruct (le_lt_dec k d); [easy|]. exfalso. apply U. now apply (ge_le H k).
Qed.
