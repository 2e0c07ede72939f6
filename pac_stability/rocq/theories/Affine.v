(** Affine subspaces of dimension at most d: their Littlestone dimension is d + 1, over every field. *)
From Coq Require Import List Arith Bool Lia Field Field_theory.
Import ListNotations.

(** * Definitions *)

(** The Littlestone dimension, of a class of sets of points. *)
Section Trees.
Context {X : Type}.
Inductive tree := Leaf | Node (x : X) (left right : tree).

Inductive complete : nat -> tree -> Prop :=
| complete_leaf : complete 0 Leaf
| complete_node d x l r : complete d l -> complete d r -> complete (S d) (Node x l r).

Inductive path : tree -> list (X * bool) -> Prop :=
| path_leaf : path Leaf []
| path_left x l r p : path l p -> path (Node x l r) ((x, false) :: p)
| path_right x l r p : path r p -> path (Node x l r) ((x, true) :: p).

Definition agrees (h : X -> Prop) (p : list (X * bool)) := Forall (fun e => h (fst e) <-> snd e = true) p.
Definition shattered (H : (X -> Prop) -> Prop) (T : tree) := forall p, path T p -> exists h, H h /\ agrees h p.
Definition Ldim_ge (H : (X -> Prop) -> Prop) (d : nat) := exists T, complete d T /\ shattered H T.
Definition Littlestone (H : (X -> Prop) -> Prop) (d : nat) := Ldim_ge H d /\ forall k, Ldim_ge H k -> k <= d.
End Trees.
Arguments tree : clear implicits.

Section Field.
Variables (F : Type) (zero one : F) (plus times minus : F -> F -> F) (opposite : F -> F)
  (divide : F -> F -> F) (inverse : F -> F).
Hypothesis field : field_theory zero one plus times minus opposite divide inverse eq.
Add Field by_field : field.
Local Notation "0" := zero.
Local Notation "1" := one.
Local Infix "+" := plus.
Local Infix "*" := times.
Local Infix "-" := minus.
Local Infix "/" := divide.
Local Notation "- x" := (opposite x).

(** A point of F^n: its n coordinates are those below n. *)
Definition point := nat -> F.

(** The linear combination a_0 v_0 + a_1 v_1 + ... of vectors. *)
Fixpoint combination (vs : list point) (a : nat -> F) (i : nat) : F :=
  match vs with [] => 0 | v :: vs => a O * v i + combination vs (fun j => a (S j)) i end.

(** The affine subspaces p + span(v_0, v_1, ...) of at most d vectors. *)
Definition subspace (n : nat) (p : point) (vs : list point) (x : point) : Prop :=
  exists a, forall i, i < n -> x i = p i + combination vs a i.
Definition subspaces (n d : nat) (h : point -> Prop) : Prop :=
  exists p vs, length vs <= d /\ forall x, h x <-> subspace n p vs x.

(** * More vectors than coordinates are dependent *)

(** A linear combination again, with a list of coefficients. *)
Fixpoint mixed (ws : list point) (a : list F) (i : nat) : F :=
  match ws, a with w :: ws, c :: a => c * w i + mixed ws a i | _, _ => 0 end.
Fixpoint total (a : list F) : F := match a with [] => 0 | c :: a => c + total a end.

Lemma one_not_zero : 1 <> 0.
Proof. apply (F_1_neq_0 field). Qed.

Lemma mixed_app vs ws a b i : length a = length vs ->
  mixed (vs ++ ws) (a ++ b) i = mixed vs a i + mixed ws b i.
Proof.
  revert a. induction vs as [|v vs IH]; intros [|c a] L; try easy; cbn [app mixed]; [ring|].
  injection L as L. rewrite (IH a L). ring.
Qed.

Definition nontrivial (a : list F) := exists c, In c a /\ c <> 0.

(** Each w without its coordinate n, by what is added of the vector u. *)
Definition cleared (u : point) (n : nat) (w : point) : point := fun i => w i - w n / u n * u i.
Fixpoint shares (u : point) (n : nat) (ws : list point) (a : list F) : F :=
  match ws, a with w :: ws, c :: a => c * (w n / u n) + shares u n ws a | _, _ => 0 end.

Lemma mixed_cleared u n ws a i :
  mixed (map (cleared u n) ws) a i = mixed ws a i - shares u n ws a * u i.
Proof.
  revert a. induction ws as [|w ws IH]; intros [|c a]; cbn [map mixed shares]; try ring.
  rewrite IH. unfold cleared. ring.
Qed.

Lemma mixed_zero ws a i : (forall w, In w ws -> w i = 0) -> mixed ws a i = 0.
Proof.
  revert a. induction ws as [|w ws IH]; intros [|c a] Z; cbn [mixed]; try easy.
  rewrite (Z w (or_introl eq_refl)), (IH a); [ring|]. intros v I. apply Z. now right.
Qed.

(** Equality in F need not be decided: not not is enough for what follows. *)
Lemma all_or_some (P : point -> Prop) ws :
  ~ ~ ((forall w, In w ws -> P w) \/ exists A w B, ws = A ++ w :: B /\ ~ P w).
Proof.
  induction ws as [|w ws IH]; intros N; [now apply N; left|].
  apply IH. intros [A|(A & v & B & -> & Q)].
  - assert (~ ~ P w) as W.
    { intros Q. apply N. right. now exists [], w, ws. }
    apply W. intros Q. apply N. left. intros v [<-|I]; [easy | now apply A].
  - apply N. right. now exists (w :: A), v, B.
Qed.

Lemma dependent n ws : n < length ws ->
  ~ ~ exists a, length a = length ws /\ nontrivial a /\ forall i, i < n -> mixed ws a i = 0.
Proof.
  revert ws. induction n as [|n IH]; intros ws L N.
  - apply N. exists (repeat 1 (length ws)). split; [apply repeat_length|]. split; [|lia].
    exists 1. split; [|apply one_not_zero]. destruct ws; [easy|]. now left.
  - apply (all_or_some (fun w => w n = 0) ws). intros [Z|(A & u & B & -> & U)].
    + apply (IH ws); [lia|]. intros (a & La & T & E). apply N. exists a. repeat split; try easy.
      intros i I. destruct (Nat.eq_dec i n) as [->|J]; [now apply mixed_zero | apply E; lia].
    + rewrite app_length in L. cbn in L.
      apply (IH (map (cleared u n) (A ++ B))); [rewrite map_length, app_length; lia|].
      intros (a & La & (c & I & C) & E). rewrite map_length, app_length in La.
      apply N. exists (firstn (length A) a ++ - shares u n (A ++ B) a :: skipn (length A) a).
      assert (Lf : length (firstn (length A) a) = length A) by (rewrite firstn_length; lia).
      assert (S : forall i, mixed (A ++ B) a i = mixed A (firstn (length A) a) i + mixed B (skipn (length A) a) i).
      { intros i. rewrite <- mixed_app by easy. now rewrite firstn_skipn. }
      split; [|split].
      * rewrite !app_length. cbn. rewrite skipn_length, Lf. lia.
      * exists c. split; [|easy]. rewrite <- (firstn_skipn (length A) a) in I. apply in_app_or in I. apply in_or_app.
        destruct I as [I|I]; [now left | right; now right].
      * intros i I'. rewrite mixed_app by easy. cbn [mixed].
        transitivity (mixed (map (cleared u n) (A ++ B)) a i).
        { rewrite mixed_cleared, S. ring. }
        destruct (Nat.eq_dec i n) as [->|J]; [|apply E; lia].
        clear -U field. revert a. induction (A ++ B) as [|w ws IH]; intros [|d a]; cbn [map mixed]; try easy.
        rewrite IH. unfold cleared. field. exact U.
Qed.

(** * At most d + 1 *)

Lemma combination_ext vs a b i : (forall j, a j = b j) -> combination vs a i = combination vs b i.
Proof.
  revert a b. induction vs as [|v vs IH]; intros a b E; cbn; [easy|]. rewrite (E O), (IH _ (fun j => b (S j))); [easy|].
  intros j. apply E.
Qed.

Lemma combination_linear vs a b c i :
  combination vs (fun j => c * a j + b j) i = c * combination vs a i + combination vs b i.
Proof.
  revert a b. induction vs as [|v vs IH]; intros a b; cbn; [ring|].
  rewrite (IH (fun j => a (S j)) (fun j => b (S j))). ring.
Qed.

Lemma combination_none vs a i : (forall j, j < length vs -> a j = 0) -> combination vs a i = 0.
Proof.
  revert a. induction vs as [|v vs IH]; intros a Z; cbn; [easy|].
  rewrite (Z O), IH; [ring | | cbn; lia]. intros j L. apply Z. cbn. lia.
Qed.

Lemma combination_of_zeros vs a i : (forall v, In v vs -> v i = 0) -> combination vs a i = 0.
Proof.
  revert a. induction vs as [|v vs IH]; intros a Z; cbn; [easy|].
  rewrite (Z v (or_introl eq_refl)), IH; [ring|]. intros w I. apply Z. now right.
Qed.

(** The coefficients of a point of p + span(vs), behind a 1. *)
Definition coordinates (r : nat -> F) : point := fun j => match j with O => 1 | S j => r j end.

Lemma mixed_total rs a : length a = length rs -> mixed (map coordinates rs) a O = total a.
Proof.
  revert a. induction rs as [|r rs IH]; intros [|c a] L; try easy. cbn. injection L as L. rewrite (IH a L). ring.
Qed.

Lemma mixed_points n p vs xs rs a i : i < n -> length a = length xs ->
  Forall2 (fun x r => forall i, i < n -> x i = p i + combination vs r i) xs rs ->
  mixed xs a i = total a * p i + combination vs (fun j => mixed (map coordinates rs) a (S j)) i.
Proof.
  intros I L A. revert a L. induction A as [|x r xs rs E A IH]; intros [|c a] L; try easy.
  - cbn. rewrite combination_none by easy. ring.
  - injection L as L. cbn [mixed total map coordinates]. rewrite (E i I), (IH a L).
    rewrite (combination_linear vs r (fun j => mixed (map coordinates rs) a (S j)) c i). ring.
Qed.

Lemma with_coefficients n p vs xs : (forall x, In x xs -> subspace n p vs x) ->
  exists rs, Forall2 (fun x r => forall i, i < n -> x i = p i + combination vs r i) xs rs.
Proof.
  induction xs as [|x xs IH]; intros A; [now exists []|].
  destruct (A x (or_introl eq_refl)) as [r E]. destruct IH as [rs B]; [intros y I; apply A; now right|].
  exists (r :: rs). now constructor.
Qed.

(** Points, the newest first: each is outside a subspace of the class that has all those before it. *)
Fixpoint chain (n d : nat) (xs : list point) : Prop :=
  match xs with
  | [] => True
  | x :: xs => chain n d xs /\ exists g, subspaces n d g /\ (forall y, In y xs -> g y) /\ ~ g x
  end.

Lemma no_relation n d xs a : chain n d xs -> length a = length xs -> nontrivial a -> total a = 0 ->
  (forall i, i < n -> mixed xs a i = 0) -> False.
Proof.
  revert a. induction xs as [|x xs IH]; intros [|c a] C L (b & I & B) T Z; try easy.
  injection L as L. destruct C as [C (g & (p & vs & _ & G) & All & Out)]. cbn in T, Z.
  assert (D : ~ c <> 0).
  { intros D. apply Out, G. destruct (with_coefficients n p vs xs) as [rs W]; [intros y J; now apply G, All|].
    exists (fun j => - (1 / c) * mixed (map coordinates rs) a (S j) + 0). intros i J.
    rewrite (combination_linear vs (fun j => mixed (map coordinates rs) a (S j)) (fun _ => 0)).
    rewrite (combination_none vs (fun _ => 0)) by easy. pose proof (mixed_points n p vs xs rs a i J L W) as E.
    revert E. generalize (combination vs (fun j => mixed (map coordinates rs) a (S j)) i). intros m E.
    assert (Y : c * x i = c * p i - m).
    { transitivity (c * x i + mixed xs a i - ((c + total a) * p i - c * p i + m)); [rewrite E; ring | rewrite (Z i J), T; ring]. }
    transitivity (c * x i / c); [field; exact D | rewrite Y; field; exact D]. }
  apply D. intros E. rewrite E in *. destruct I as [I|I]; [now apply B|].
  apply (IH a C L).
  - now exists b.
  - rewrite <- T. ring.
  - intros i J. rewrite <- (Z i J). ring.
Qed.

Lemma at_most n d xs h : chain n d xs -> subspaces n d h -> (forall x, In x xs -> h x) -> length xs <= S d.
Proof.
  intros C (p & vs & L & E) A. destruct (le_lt_dec (length xs) (S d)) as [?|M]; [easy|]. exfalso.
  destruct (with_coefficients n p vs xs) as [rs W]; [intros x I; now apply E, A|].
  assert (Lr : length rs = length xs) by (clear -W; induction W; cbn; lia).
  apply (dependent (S (length vs)) (map coordinates rs)); [rewrite map_length; lia|].
  intros (a & La & T & Z). rewrite map_length, Lr in La.
  assert (T0 : total a = 0) by (rewrite <- (mixed_total rs a) by lia; apply Z; lia).
  apply (no_relation n d xs a C La T T0). intros i I.
  rewrite (mixed_points n p vs xs rs a i I La W), T0, combination_none; [ring|].
  intros j J. apply Z. lia.
Qed.

Lemma some_path {X : Type} (T : tree X) : exists p, path T p.
Proof.
  induction T as [|x l [p P] r _]; [exists []; constructor | exists ((x, false) :: p); now constructor].
Qed.

(** In the tree, always to the right: every node there has a hypothesis on its left. *)
Lemma to_the_right n d k T xs : complete k T -> chain n d xs ->
  shattered (fun h => subspaces n d h /\ forall x, In x xs -> h x) T ->
  exists ys h, length ys = (k + length xs)%nat /\ chain n d ys /\ subspaces n d h /\ forall y, In y ys -> h y.
Proof.
  intros K. revert xs. induction K as [|k x l r _ _ Kr IH]; intros xs C S.
  - destruct (S [] path_leaf) as (h & [H A] & _). now exists xs, h.
  - destruct (some_path l) as [p P]. destruct (S _ (path_left x l r p P)) as (g & [G A] & L).
    inversion L as [|? ? N _]; subst. cbn in N. destruct (IH (x :: xs)) as (ys & h & Ly & Cy & H & Ay).
    + split; [easy|]. exists g. repeat split; try easy. intros I. now apply N in I.
    + intros q Q. destruct (S _ (path_right x l r q Q)) as (h & [H B] & R). inversion R as [|? ? N' R']; subst.
      exists h. repeat split; try easy. intros y [<-|I]; [now apply N' | now apply B].
    + exists ys, h. repeat split; try easy. rewrite Ly. cbn. lia.
Qed.

Lemma no_more n d k : Ldim_ge (subspaces n d) k -> k <= S d.
Proof.
  intros (T & K & S). destruct (to_the_right n d k T [] K I) as (ys & h & L & C & H & A).
  - intros p P. destruct (S p P) as (h & Hh & B). now exists h.
  - cbn in L. rewrite Nat.add_0_r in L. rewrite <- L. now apply (at_most n d ys h).
Qed.

(** * At least d + 1: the origin and d unit vectors, in a tree whose levels have one point each *)

Definition unit (j : nat) : point := fun i => if i =? j then 1 else 0.
Definition corner (j : nat) : point := match j with O => fun _ => 0 | S j => unit j end.

Fixpoint levels {X : Type} (xs : list X) : tree X :=
  match xs with [] => Leaf | x :: xs => Node x (levels xs) (levels xs) end.

Lemma levels_complete {X : Type} (xs : list X) : complete (length xs) (levels xs).
Proof. induction xs; cbn; now constructor. Qed.

Lemma levels_path {X : Type} (xs : list X) p : path (levels xs) p -> map fst p = xs.
Proof.
  revert p. induction xs as [|x xs IH]; intros p P; inversion P; subst; cbn; [easy | |]; f_equal; now apply IH.
Qed.

Lemma total_plus (f g : nat -> F) l : total (map (fun i => f i + g i) l) = total (map f l) + total (map g l).
Proof. induction l as [|i l IH]; cbn; [ring|]. rewrite IH. ring. Qed.

Lemma total_times c (f : nat -> F) l : total (map (fun i => c * f i) l) = c * total (map f l).
Proof. induction l as [|i l IH]; cbn; [ring|]. rewrite IH. ring. Qed.

Lemma total_combination vs a l : (forall v, In v vs -> total (map v l) = 0) -> total (map (combination vs a) l) = 0.
Proof.
  revert a. induction vs as [|v vs IH]; intros a Z.
  - clear -field. induction l as [|i l IH]; cbn; [easy|]. cbn in IH. rewrite IH. ring.
  - cbn [combination]. rewrite (total_plus (fun i => a O * v i)), total_times, (Z v (or_introl eq_refl)), IH; [ring|].
    intros w I. apply Z. now right.
Qed.

Lemma total_unit j s m : s <= j < s + m -> total (map (unit j) (seq s m)) = 1.
Proof.
  assert (Z : forall s m, j < s -> total (map (unit j) (seq s m)) = 0).
  { clear -field. intros s m. revert s. induction m as [|m IH]; intros s L; cbn [seq map total]; [easy|].
    rewrite IH by lia. unfold unit. destruct (Nat.eqb_spec s j); [lia | ring]. }
  revert s. induction m as [|m IH]; intros s L; [lia|]. cbn [seq map total]. unfold unit at 1.
  destruct (Nat.eqb_spec s j); [rewrite Z by lia; ring | rewrite IH by lia; ring].
Qed.

Lemma base_and_vector n p vs v x : In v vs -> (forall i, i < n -> x i = p i + v i) -> subspace n p vs x.
Proof.
  intros I E. assert (A : exists a, forall i, combination vs a i = v i).
  { clear E. induction vs as [|w vs IH]; [easy|]. destruct I as [->|I].
    - exists (fun j => match j with O => 1 | _ => 0 end). intros i. cbn. rewrite combination_none by easy. ring.
    - destruct (IH I) as [a A]. exists (fun j => match j with O => 0 | S j => a j end). intros i.
      change (0 * w i + combination vs a i = v i). rewrite (A i). ring. }
  destruct A as [a A]. exists a. intros i L. now rewrite A, E.
Qed.

Lemma as_many n d : d < n -> Ldim_ge (subspaces n d) (S d).
Proof.
  intros L. exists (levels (map corner (seq O (S d)))). split.
  { rewrite <- (seq_length (S d) O) at 1. rewrite <- (map_length corner). apply levels_complete. }
  intros q Q. apply levels_path in Q.
  set (label := fun j => nth j (map snd q) false).
  set (p := if label O then corner O else unit d).
  set (vs := map (fun j i => unit j i - p i) (filter (fun j => label (S j)) (seq O d))).
  assert (Lq : length q = S d) by now rewrite <- (map_length fst), Q, map_length, seq_length.
  assert (V : forall v, In v vs -> exists j, j < d /\ label (S j) = true /\ v = (fun i => unit j i - p i)).
  { intros v I. apply in_map_iff in I as (j & <- & I). apply filter_In in I as [I B]. apply in_seq in I.
    exists j. repeat split; [lia | easy]. }
  assert (P : forall j, j < d -> p j = 0).
  { intros j J. unfold p, corner, unit. destruct (label O); [easy|]. destruct (Nat.eqb_spec j d); [lia | easy]. }
  exists (subspace n p vs). split.
  - exists p, vs. split; [|easy]. unfold vs. rewrite map_length. rewrite <- (seq_length d O) at 2.
    generalize (seq O d). intros l. clear. induction l as [|j l IH]; cbn; [easy|]. destruct (label (S j)); cbn; lia.
  - assert (All : forall j, j <= d -> subspace n p vs (corner j) <-> label j = true).
    { intros [|j] J; split.
      + intros [a E]. destruct (bool_dec (label O) true) as [|B]; [easy|]. exfalso. apply not_true_is_false in B. apply one_not_zero.
        assert (Z : total (map (combination vs a) (seq O (S d))) = 0).
        { apply total_combination. intros v I. destruct (V v I) as (j & J' & _ & ->).
          rewrite (map_ext _ (fun i => unit j i + - (1) * p i)) by (intros; ring).
          rewrite total_plus, total_times, total_unit by lia. unfold p. rewrite B, total_unit by lia. ring. }
        assert (U : total (map p (seq O (S d))) = 1) by (unfold p; rewrite B; apply total_unit; lia).
        assert (T : total (map (fun i => p i + combination vs a i) (seq O (S d))) = 0).
        { rewrite (map_ext_in _ (fun i => 0 * 0)).
          - rewrite (total_times 0 (fun _ => 0)). ring.
          - intros i I. apply in_seq in I. rewrite <- E by lia. cbn. ring. }
        rewrite total_plus, U, Z in T. rewrite <- T. ring.
      + intros B. exists (fun _ => 0). intros i _. rewrite combination_none by easy. unfold p. rewrite B. cbn. ring.
      + intros [a E]. destruct (bool_dec (label (S j)) true) as [|B]; [easy|]. exfalso. apply not_true_is_false in B. apply one_not_zero.
        specialize (E j ltac:(lia)). rewrite (P j) in E by lia. rewrite combination_of_zeros in E.
        * cbn in E. unfold unit in E. rewrite Nat.eqb_refl in E. rewrite E. ring.
        * intros v I. destruct (V v I) as (k & K & Bk & ->). rewrite (P j) by lia. unfold unit.
          destruct (Nat.eqb_spec j k) as [->|]; [congruence | ring].
      + intros B. apply (base_and_vector n p vs (fun i => unit j i - p i)); [|intros; cbn; ring].
        unfold vs. apply (in_map (fun j i => unit j i - p i)), filter_In. split; [apply in_seq; lia | easy]. }
    apply Forall_forall. intros [x b] I. cbn [fst snd].
    apply (In_nth _ _ (x, b)) in I as (j & J & E). rewrite Lq in J.
    pose proof (map_nth fst q (x, b) j) as X. rewrite E, Q in X. cbn [fst] in X.
    rewrite (nth_indep _ x (corner O)), map_nth, seq_nth in X by (rewrite ?map_length, ?seq_length; lia).
    pose proof (map_nth snd q (x, b) j) as Y. rewrite E in Y. cbn [snd] in Y.
    rewrite (nth_indep _ b false) in Y by (rewrite map_length; lia).
    rewrite <- X, (All j) by lia. now rewrite <- Y.
Qed.

(** The fact as it should read, and as it is printed. *)
Theorem affine_subspaces n d : d < n -> Littlestone (subspaces n d) (S d).
Proof. intros L. split; [now apply as_many|]. intros k. apply no_more. Qed.

Theorem not_as_printed n d : d < n -> ~ Littlestone (subspaces n d) d.
Proof. intros L [_ M]. specialize (M (S d) (as_many n d L)). lia. Qed.
End Field.
