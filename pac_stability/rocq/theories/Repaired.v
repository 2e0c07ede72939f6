(** What is true in place of Lemma 12, for every class, law, sample size, tie rule and choice of the point.

    Let r_0 = 1, r_1 = 1/2 and r_k = r_{k-1} (r_{k-1} - tau) / 2.  If r_d >= tau > 0, then for some k <= d
    some output has frequency tau: for d = 1, 2, 3, 4 with tau = 1/2, 1/10, 1/140, 1/32920. *)
From Coq Require Import List NArith ZArith Arith Bool QArith Qpower Lia Lqa.
From PacStability Require Import Ldim Tournaments Lemma12.
Import ListNotations.
Local Open Scope nat_scope.

(** * The statement *)

Fixpoint r (tau : Q) (k : nat) : Q :=
  match k with
  | O => 1
  | S O => 1 # 2
  | S j => r tau j * (r tau j - tau) / 2
  end%Q.

(** * The version space along a sample that the target fits *)

Definition good (c : N) (S : sample) : bool := forallb (fun e => eqb (label c (fst e)) (snd e)) S.

Lemma good_app c S T : good c (S ++ T) = good c S && good c T.
Proof. apply forallb_app. Qed.

Lemma label_patch f e x : label (patch f e) x = if N.eqb x (fst e) then snd e else label f x.
Proof.
  unfold patch. destruct (N.eqb_spec x (fst e)) as [->|ne]; destruct (snd e).
  - apply N.setbit_eq.
  - apply N.clearbit_eq.
  - apply N.setbit_neq. congruence.
  - apply N.clearbit_neq. congruence.
Qed.

Lemma label_patched (g : N -> bool) l x :
  label (fold_right (fun x f => patch f (x, g x)) 0%N l) x = if in_dec N.eq_dec x l then g x else false.
Proof.
  induction l as [|y l IH]; [apply N.bits_0|]. cbn [fold_right]. rewrite label_patch. cbn [fst snd].
  destruct (N.eqb_spec x y) as [->|ne].
  - destruct (in_dec N.eq_dec y (y :: l)) as [_|no]; [easy|]. exfalso. apply no. now left.
  - rewrite IH. destruct (in_dec N.eq_dec x l), (in_dec N.eq_dec x (y :: l)) as [J|J]; try easy.
    + exfalso. apply J. now right.
    + destruct J; [now subst | easy].
Qed.

(** * Sums and counts *)

Fixpoint total {A} (f : A -> nat) (l : list A) : nat :=
  match l with [] => 0 | a :: l => f a + total f l end.

(** How many there are with a property. *)
Fixpoint m {A} (p : A -> bool) (l : list A) : nat :=
  match l with [] => 0 | a :: l => (if p a then 1 else 0) + m p l end.

Lemma m_filter {A} (p : A -> bool) l : length (filter p l) = m p l.
Proof. induction l as [|a l IH]; [easy|]. cbn [filter m]. destruct (p a); cbn [length]; lia. Qed.

Lemma m_app {A} (p : A -> bool) l l' : m p (l ++ l') = m p l + m p l'.
Proof. induction l; cbn; lia. Qed.

Lemma m_map {A B} (f : A -> B) p l : m p (map f l) = m (fun a => p (f a)) l.
Proof. induction l; cbn; lia. Qed.

Lemma m_ext {A} (p q : A -> bool) l : (forall a, In a l -> p a = q a) -> m p l = m q l.
Proof.
  induction l as [|a l IH]; intros E; [easy|]. cbn. rewrite E by now left. f_equal.
  apply IH. intros b J. apply E. now right.
Qed.

Lemma m_le_in {A} (p q : A -> bool) l : (forall a, In a l -> p a = true -> q a = true) -> m p l <= m q l.
Proof.
  induction l as [|a l IH]; intros E; [easy|]. cbn [m].
  assert (J : m p l <= m q l) by (apply IH; intros b K; apply E; now right).
  specialize (E a (or_introl eq_refl)). destruct (p a); [rewrite E by easy|]; destruct (q a); lia.
Qed.

Lemma m_length {A} (p : A -> bool) l : m p l <= length l.
Proof. induction l as [|a l IH]; [easy|]. cbn [m length]. destruct (p a); lia. Qed.

Lemma m_constant {A} b (l : list A) : m (fun _ => b) l = if b then length l else 0.
Proof. induction l; cbn; destruct b; lia. Qed.

Lemma m_split {A} (p q : A -> bool) l : m p l = m (fun a => p a && q a) l + m (fun a => p a && negb (q a)) l.
Proof. induction l as [|a l IH]; [easy|]. cbn. destruct (p a), (q a); cbn; lia. Qed.

Lemma m_flat_map {A B} (p : B -> bool) (f : A -> list B) l : m p (flat_map f l) = total (fun a => m p (f a)) l.
Proof. induction l as [|a l IH]; [easy|]. cbn. now rewrite m_app, IH. Qed.

Lemma length_flat_map {A B} (f : A -> list B) l : length (flat_map f l) = total (fun a => length (f a)) l.
Proof. induction l as [|a l IH]; [easy|]. cbn. now rewrite app_length, IH. Qed.

Lemma total_le {A} (f g : A -> nat) l : (forall a, In a l -> f a <= g a) -> total f l <= total g l.
Proof.
  induction l as [|a l IH]; intros L; [easy|]. cbn.
  apply Nat.add_le_mono; [apply L; now left | apply IH; intros b J; apply L; now right].
Qed.

Lemma total_mult {A} (f : A -> nat) k l : total (fun a => k * f a) l = k * total f l.
Proof. induction l; cbn; lia. Qed.

Lemma total_constant {A} k (l : list A) : total (fun _ => k) l = k * length l.
Proof. induction l; cbn; lia. Qed.

Lemma total_if {A} (p : A -> bool) k l : total (fun a => if p a then k else 0) l = m p l * k.
Proof. induction l as [|a l IH]; [easy|]. cbn. destruct (p a); lia. Qed.

(** The largest number of equal elements of a list. *)
Definition peak (l : list N) : nat := list_max (map (fun f => m (N.eqb f) l) l).

Lemma peak_most l f : m (N.eqb f) l <= peak l.
Proof.
  destruct (in_dec N.eq_dec f l) as [J|no].
  - assert (A : Forall (fun k => k <= peak l) (map (fun f => m (N.eqb f) l) l)) by now apply list_max_le.
    rewrite Forall_forall in A. apply A, in_map_iff. now exists f.
  - rewrite (m_ext _ (fun _ => false)); [rewrite m_constant; lia|].
    intros g J. destruct (N.eqb_spec f g) as [->|]; easy.
Qed.

Lemma max_attained l : l <> [] -> In (list_max l) l.
Proof.
  induction l as [|a l IH]; intros ne; [easy|]. change (list_max (a :: l)) with (Nat.max a (list_max l)).
  destruct l as [|b l]; [left; cbn; lia|]. destruct (Nat.max_spec a (list_max (b :: l))) as [[_ ->]|[_ ->]].
  - right. now apply IH.
  - now left.
Qed.

Lemma peak_attained l : l <> [] -> exists f, m (N.eqb f) l = peak l.
Proof.
  intros ne. assert (J : In (peak l) (map (fun f => m (N.eqb f) l) l)).
  { apply max_attained. now destruct l. }
  apply in_map_iff in J as (f & E & _). now exists f.
Qed.

Definition q (k : nat) : Q := inject_Z (Z.of_nat k).

Lemma q_le a b : a <= b -> (q a <= q b)%Q.
Proof. intros L. unfold q. rewrite <- Zle_Qle. lia. Qed.
Lemma q_lt a b : a < b -> (q a < q b)%Q.
Proof. intros L. unfold q. rewrite <- Zlt_Qlt. lia. Qed.
Lemma q_lt_inv a b : (q a < q b)%Q -> a < b.
Proof. unfold q. rewrite <- Zlt_Qlt. lia. Qed.
Lemma q_mult a b : (q (a * b) == q a * q b)%Q.
Proof. unfold q. now rewrite Nat2Z.inj_mul, inject_Z_mult. Qed.
Lemma q_plus a b : (q (a + b) == q a + q b)%Q.
Proof. unfold q. now rewrite Nat2Z.inj_add, inject_Z_plus. Qed.

(** The r_k do not come back, once they are below tau. *)
Lemma r_gone tau k : (0 < tau <= 1 -> - tau < r tau (S k) < tau -> - tau < r tau (S (S k)) < tau)%Q.
Proof.
  intros T B. change (r tau (S (S k))) with (r tau (S k) * (r tau (S k) - tau) / 2)%Q.
  generalize dependent (r tau (S k)). intros x B. unfold Qdiv. change (/ 2)%Q with (1 # 2)%Q. nra.
Qed.

Section Proof.
Variables (points : list N) (H : class) (draws : list N) (c : N) (n d : nat) (tie : bool).
Variable pick : nat -> sample * predictor -> sample * predictor -> N.
Hypothesis I : instance points H draws c d pick.

Notation rule := (rule points d tie).
Notation update := (update points d tie).
Notation SOA := (SOA points H d tie).
Notation plays := (plays points H draws c n d tie).
Notation tournament := (tournament pick).
Notation D := (D points H draws c n d tie pick).
Notation outputs := (outputs points H draws c n d tie pick).
Notation Pr := (Pr points H draws c n d tie pick).
Notation predict := (predict points d tie).

Definition live (V : class) := In c V /\ forall h, In h V -> In h H.

Lemma inside_live V h x : live V -> In h V -> label h x = true -> In x points.
Proof. intros [_ sub] J. apply (inside _ _ _ _ _ _ I h). now apply sub. Qed.

Lemma label_rule V x : label (rule (Live V)) x = if in_dec N.eq_dec x points then predict V x else false.
Proof. apply label_patched. Qed.

(** A predictor of a live state is the number 0 beyond the points, so it is told by its labels on them. *)
Lemma rule_ext V W : (forall x, In x points -> predict V x = predict W x) -> rule (Live V) = rule (Live W).
Proof.
  intros E. apply N.bits_inj. intros x. rewrite !label_rule. destruct (in_dec N.eq_dec x points); auto.
Qed.

(** An example of the target keeps the target; what is wrong about it lowers the dimension. *)
Lemma update_live V x : live V -> update (Live V) (x, label c x) = Live (side V x (label c x)) /\
  live (side V x (label c x)).
Proof.
  intros [L sub]. assert (J : In c (side V x (label c x))) by (apply in_side; tauto).
  split.
  - simpl. now destruct (side V x (label c x)).
  - split; [easy|]. intros h K. apply sub. now apply in_side in K.
Qed.

Lemma mistake V x k : live V -> k <= d -> label (rule (Live V)) x <> label c x ->
  Ldim_ge (side V x (label c x)) k -> Ldim_ge V (S k).
Proof.
  intros L le W G. rewrite label_rule in W.
  assert (ins : forall b h y, In h (side V x b) -> label h y = true -> In y points).
  { intros b h y J. apply in_side in J as [J _]. now apply (inside_live V). }
  destruct (in_dec N.eq_dec x points) as [_|out].
  - rewrite ge_S. exists x. unfold Tournaments.predict in W.
    assert (P : forall b, k < rank points d (side V x b) <-> Ldim_ge (side V x b) k).
    { intros b. apply rank_spec; [apply ins | easy]. }
    rewrite <- P in G. rewrite <- !P. cbv zeta in W.
    destruct (label c x), tie;
      destruct (Nat.eqb_spec (rank points d (side V x false)) (rank points d (side V x true)));
      destruct (Nat.ltb_spec (rank points d (side V x false)) (rank points d (side V x true)));
      try congruence; lia.
  - exfalso. apply out. destruct L as [L sub].
    apply (inside _ _ _ _ _ _ I c); [now apply sub|]. destruct (label c x); congruence.
Qed.

(** After a good sample: the target is left, and the dimension is bounded. *)
Definition after (S : sample) (j : nat) := exists V, fold_left update S (Live H) = Live V /\ live V /\ ~ Ldim_ge V j.

Lemma after_T S T j : good c T = true -> after S j -> after (S ++ T) j.
Proof.
  revert S. induction T as [|[x y] T IH]; intros S G A; [now rewrite app_nil_r|].
  change ((x, y) :: T) with ([(x, y)] ++ T). rewrite app_assoc. cbn in G. apply andb_true_iff in G as [E G]. apply eqb_prop in E. subst y.
  apply IH; [easy|]. destruct A as (V & F & L & B). exists (side V x (label c x)).
  rewrite fold_left_app, F. destruct (update_live V x L) as [U L']. repeat split; try easy; try apply L'.
  intros K. apply B. refine (ge_sub _ _ _ _ K). intros h J. now apply in_side in J.
Qed.

Lemma after_mistake S x j : j <= d -> after S (1 + j) -> label (SOA S) x <> label c x ->
  after (S ++ [(x, label c x)]) j.
Proof.
  intros le (V & F & L & B) W. exists (side V x (label c x)).
  rewrite fold_left_app, F. destruct (update_live V x L) as [U L']. repeat split; try easy; try apply L'.
  intros K. apply B. apply (mistake V x j); try easy. unfold Tournaments.SOA in W. now rewrite F in W.
Qed.

(** Where only dimension 0 is left, the SOA predicts the target. *)
Lemma after_all S : after S 1 -> SOA S = c.
Proof.
  intros (V & F & L & B). unfold Tournaments.SOA. rewrite F. apply N.bits_inj. intros x. rewrite label_rule.
  destruct (in_dec N.eq_dec x points) as [here|out].
  - destruct (Bool.bool_dec (predict V x) (label c x)) as [|ne]; [easy|]. exfalso.
    apply B. apply (mistake V x 0); [easy | lia | | ].
    + rewrite label_rule. now destruct (in_dec N.eq_dec x points).
    + apply ge_0. destruct (update_live V x L) as [_ [J _]]. intros Z. now rewrite Z in J.
  - destruct (label c x) eqn:E; [|easy]. exfalso. apply out. destruct L as [L sub].
    apply (inside _ _ _ _ _ _ I c); [now apply sub | easy].
Qed.

(** * Counting *)

Notation player := (sample * N)%type.

Definition count_T := length (D_n draws c n).

Lemma good_D_n k T : In T (D_n draws c k) -> good c T = true.
Proof.
  revert T. induction k as [|k IH]; intros T J; [now destruct J as [<-|[]]|].
  cbn in J. apply in_flat_map in J as (x & _ & J). apply in_map_iff in J as (T' & <- & J).
  cbn. rewrite eqb_reflx. now apply IH.
Qed.

Lemma length_plays l : length (plays l) = length l * count_T.
Proof.
  unfold Tournaments.plays. rewrite length_flat_map. induction l as [|S l IH]; [easy|].
  cbn [total length]. rewrite map_length, IH. unfold count_T. lia.
Qed.

Lemma in_plays a l : In a (plays l) ->
  exists S T, In S l /\ good c T = true /\ fst a = S ++ T /\ snd a = SOA (fst a).
Proof.
  unfold Tournaments.plays. intros J. apply in_flat_map in J as (S & K & J). apply in_map_iff in J as (T & <- & J).
  exists S, T. repeat split; try easy. eapply good_D_n, J.
Qed.

Definition good_player (a : player) : bool := good c (fst a).

(** A sample is as good after T as before. *)
Lemma goods_plays l : m good_player (plays l) = m (good c) l * count_T.
Proof.
  unfold Tournaments.plays. rewrite m_flat_map. induction l as [|S l IH]; [easy|]. cbn [total m].
  rewrite IH. rewrite (m_map _ (good_player)).
  rewrite (m_ext _ (fun _ => good c S)).
  - rewrite m_constant. unfold count_T. destruct (good c S); lia.
  - intros T J. unfold good_player. cbn [fst]. rewrite good_app, (good_D_n _ _ J). apply andb_true_r.
Qed.

(** ** One tournament: two good players that differ send one good sample on, of two *)

Lemma length_tournament k a b : length (tournament k a b) = if N.eqb (snd a) (snd b) then 0 else 2.
Proof. unfold Tournaments.tournament. now destruct (N.eqb (snd a) (snd b)). Qed.

Lemma good_tournament k a b : good_player a = true -> good_player b = true -> snd a <> snd b ->
  1 <= m (good c) (tournament k a b).
Proof.
  intros A B ne. unfold Tournaments.tournament. destruct (N.eqb_spec (snd a) (snd b)) as [|_]; [easy|].
  set (x := pick k a b). assert (E : forall y, good c [(x, y)] = eqb (label c x) y) by (intros; apply andb_true_r).
  unfold good_player in A, B. cbn [map m]. rewrite !good_app, !E.
  destruct (label (snd a) x), (label c x); cbn [eqb]; rewrite A, B; cbn [eqb andb]; lia.
Qed.

(** ** Samples of D_k *)

(** Good ones leave a small dimension. *)
Lemma good_after k : k <= d -> forall S, In S (D k) -> good c S = true -> after S (1 + d - k).
Proof.
  induction k as [|k IH]; intros le S J G.
  - destruct J as [<-|[]]. exists H. split; [easy|]. split.
    + split; [apply (realizable _ _ _ _ _ _ I) | easy].
    + intros K. apply (dimension _ _ _ _ _ _ I) in K. lia.
  - cbn in J. apply in_flat_map in J as (a & Ja & J). apply in_flat_map in J as (b & Jb & J).
    assert (P : forall p, In p (plays (D k)) -> good_player p = true -> after (fst p) (1 + (d - k)) /\ snd p = SOA (fst p)).
    { intros p Jp Gp. apply in_plays in Jp as (S' & T & JS & GT & E & F). split; [|easy]. rewrite E.
      unfold good_player in Gp. rewrite E, good_app in Gp. apply andb_true_iff in Gp as [GS _].
      apply after_T; [easy|]. replace (1 + (d - k)) with (1 + d - k) by lia. now apply IH; [lia| |]. }
    unfold Tournaments.tournament in J. destruct (N.eqb_spec (snd a) (snd b)) as [|ne]; [easy|].
    apply in_map_iff in J as (y & <- & _). set (x := pick k a b) in *.
    replace (1 + d - Datatypes.S k) with (d - k) by lia.
    destruct (eqb (label (snd a) x) y) eqn:E.
    + rewrite good_app in G. apply andb_true_iff in G as [Gb Gy]. cbn in Gy. rewrite andb_true_r in Gy.
      apply eqb_prop in Gy, E. destruct (P b Jb Gb) as [Ab Fb]. rewrite <- Gy.
      apply after_mistake; [lia | exact Ab | rewrite <- Fb]. pose proof (told_apart _ _ _ _ _ _ I k a b ne). fold x in H0. congruence.
    + rewrite good_app in G. apply andb_true_iff in G as [Ga Gy]. cbn in Gy. rewrite andb_true_r in Gy.
      apply eqb_prop in Gy. apply eqb_false_iff in E. destruct (P a Ja Ga) as [Aa Fa]. rewrite <- Gy.
      apply after_mistake; [lia | exact Aa | rewrite <- Fa]. congruence.
Qed.

Lemma good_all : m good_player (plays (D d)) <= m (fun a => N.eqb c (snd a)) (plays (D d)).
Proof.
  apply m_le_in. intros a J G. apply in_plays in J as (S & T & JS & GT & E & F).
  unfold good_player in G. rewrite E, good_app in G. apply andb_true_iff in G as [GS _].
  apply N.eqb_eq. rewrite F, E. symmetry. apply after_all, after_T; [easy|].
  replace 1 with (1 + d - d) by lia. now apply good_after.
Qed.

(** ** From one level to the next *)

Lemma D_S k : D (S k) = flat_map (fun a => flat_map (tournament k a) (plays (D k))) (plays (D k)).
Proof. easy. Qed.

Lemma length_step k : length (D (S k)) <= 2 * (length (plays (D k)) * length (plays (D k))).
Proof.
  rewrite D_S, length_flat_map. set (P := plays (D k)).
  apply Nat.le_trans with (total (fun _ : player => 2 * length P) P).
  - apply total_le. intros a _. rewrite length_flat_map.
    apply Nat.le_trans with (total (fun _ : player => 2) P); [|now rewrite total_constant].
    apply total_le. intros b _. rewrite length_tournament. destruct (N.eqb _ _); lia.
  - rewrite total_constant. lia.
Qed.

Lemma goods_step k M : (forall f, m (fun a => N.eqb f (snd a)) (plays (D k)) <= M) ->
  m good_player (plays (D k)) * (m good_player (plays (D k)) - M) <= m (good c) (D (S k)).
Proof.
  intros B. rewrite D_S, m_flat_map. set (P := plays (D k)) in *. set (G := m good_player P).
  unfold G at 1. rewrite <- (total_if good_player). apply total_le. intros a _. rewrite m_flat_map.
  destruct (good_player a) eqn:A; [|lia].
  apply Nat.le_trans with (m (fun b => good_player b && negb (N.eqb (snd a) (snd b))) P).
  - unfold G. rewrite (m_split good_player (fun b => N.eqb (snd a) (snd b)) P). specialize (B (snd a)).
    assert (m (fun b => good_player b && N.eqb (snd a) (snd b)) P <= m (fun b => N.eqb (snd a) (snd b)) P).
    { apply m_le_in. intros b _ J. now apply andb_true_iff in J. }
    lia.
  - rewrite <- (Nat.mul_1_r (m _ P)), <- total_if. apply total_le. intros b _.
    destruct (good_player b) eqn:E, (N.eqb_spec (snd a) (snd b)) as [|ne]; cbn [andb negb]; try lia.
    now apply good_tournament.
Qed.

(** In the first tournament everybody is good. *)
Lemma all_good_0 : m good_player (plays (D 0)) = length (plays (D 0)).
Proof. rewrite goods_plays, length_plays. easy. Qed.

Lemma first_step : length (D 1) <= 2 * m (good c) (D 1).
Proof.
  rewrite D_S, length_flat_map, m_flat_map, <- total_mult. apply total_le. intros a Ja.
  rewrite length_flat_map, m_flat_map, <- total_mult. apply total_le. intros b Jb.
  assert (good_0 : forall p, In p (plays (D 0)) -> good_player p = true).
  { intros p J. apply in_plays in J as (S & T & [<-|[]] & GT & E & _). unfold good_player. now rewrite E. }
  rewrite length_tournament. destruct (N.eqb_spec (snd a) (snd b)) as [|ne]; [lia|].
  pose proof (good_tournament 0 a b (good_0 a Ja) (good_0 b Jb) ne). lia.
Qed.

Lemma some_T : 0 < count_T.
Proof.
  destruct (drawn _ _ _ _ _ _ I) as [ne _]. unfold count_T. induction n as [|k IH]; [cbn; lia|].
  cbn [D_n]. rewrite length_flat_map. destruct draws as [|x l]; [easy|].
  cbn [total]. rewrite map_length. lia.
Qed.

(** ** How often an output occurs *)

Lemma Pr_eq k f : (Pr k f == q (m (fun a => N.eqb f (snd a)) (plays (D k))) / q (length (plays (D k))))%Q.
Proof.
  unfold Tournaments.Pr, share, Tournaments.outputs. rewrite map_length, m_filter, m_map. reflexivity.
Qed.

(** A level has a frequent output, or every output is rarer than tau. *)
Lemma level k tau : 0 < length (plays (D k)) -> (exists f, tau <= Pr k f)%Q \/
  exists M, (forall f, m (fun a => N.eqb f (snd a)) (plays (D k)) <= M) /\ (q M < tau * q (length (plays (D k))))%Q.
Proof.
  intros P. set (l := outputs k). assert (L : length l = length (plays (D k))) by apply map_length.
  assert (E : forall f, m (N.eqb f) l = m (fun a => N.eqb f (snd a)) (plays (D k))) by (intros; apply m_map).
  destruct (peak_attained l) as (f & F); [intros Z; rewrite Z in L; cbn in L; lia|].
  destruct (Qlt_le_dec (q (peak l)) (tau * q (length (plays (D k))))) as [less|most].
  - right. exists (peak l). split; [|easy]. intros g. rewrite <- E. apply peak_most.
  - left. exists f. rewrite Pr_eq, <- E, F. apply Qle_shift_div_l; [now apply (q_lt 0)|easy].
Qed.

Section Threshold.
Variable tau : Q.
Hypothesis probability : (0 < tau <= 1)%Q.
Hypothesis reached : (tau <= r tau d)%Q.

Lemma r_most k : k <= d -> (tau <= r tau k)%Q.
Proof.
  intros le. destruct (Qlt_le_dec (r tau k) tau) as [less|]; [|easy]. exfalso.
  destruct k as [|k]; [cbn in less; lra|].
  assert (low : (- tau < r tau (S k))%Q).
  { clear le. induction k as [|k IH]; [cbn; lra|].
    change (r tau (S (S k))) with (r tau (S k) * (r tau (S k) - tau) / 2)%Q in *.
    destruct (Qlt_le_dec (r tau (S k)) tau) as [gone|still].
    - specialize (IH gone). generalize dependent (r tau (S k)). intros x less gone low.
      unfold Qdiv. change (/ 2)%Q with (1 # 2)%Q. nra.
    - generalize dependent (r tau (S k)). intros x less IH still.
      unfold Qdiv. change (/ 2)%Q with (1 # 2)%Q. nra. }
  assert (B : forall j, (- tau < r tau (S k + j) < tau)%Q).
  { induction j as [|j IH]; [now rewrite Nat.add_0_r|].
    replace (S k + S j) with (S (S (k + j))) by lia. apply r_gone; [easy|]. exact IH. }
  specialize (B (d - S k)). replace (S k + (d - S k)) with d in B by lia. lra.
Qed.

Lemma climb k : k <= d -> (exists j f, j <= d /\ (tau <= Pr j f)%Q) \/
  (0 < length (D k) /\ (r tau k * q (length (D k)) <= q (m (good c) (D k)))%Q).
Proof.
  induction k as [|k IH]; intros le.
  - right. split; [cbn; lia|]. cbn. unfold q. cbn. lra.
  - destruct IH as [found|[P R]]; [lia | now left|].
    set (N := length (plays (D k))). set (G := m good_player (plays (D k))).
    assert (t : 0 < count_T) by apply some_T.
    assert (EN : N = length (D k) * count_T) by apply length_plays.
    assert (EG : G = m (good c) (D k) * count_T) by apply goods_plays.
    assert (PN : 0 < N) by (rewrite EN; now apply Nat.mul_pos_pos).
    assert (RN : (r tau k * q N <= q G)%Q).
    { rewrite EN, EG, !q_mult, Qmult_assoc. apply Qmult_le_compat_r; [easy|]. apply (q_le 0). lia. }
    destruct (level k tau PN) as [(f & F)|(M & B & less)]; [left; exists k, f; split; [lia | easy]|]. fold N in less.
    pose proof (r_most k ltac:(lia)) as T.
    assert (GM : M < G).
    { apply q_lt_inv. apply Qlt_le_trans with (tau * q N)%Q; [easy|].
      apply Qle_trans with (r tau k * q N)%Q; [|easy]. apply Qmult_le_compat_r; [easy|]. apply (q_le 0). lia. }
    pose proof (goods_step k M B) as St. fold G in St.
    assert (P' : 0 < m (good c) (D (S k))).
    { apply Nat.lt_le_trans with (G * (G - M)); [|easy]. apply Nat.mul_pos_pos; lia. }
    right. split; [pose proof (m_length (good c) (D (S k))); lia|].
    destruct k as [|k].
    + pose proof first_step as F. apply q_le in F. rewrite q_mult in F. change (q 2) with (2 # 1)%Q in F.
      change (r tau 1) with (1 # 2)%Q. lra.
    + change (r tau (S (S k))) with (r tau (S k) * (r tau (S k) - tau) / 2)%Q.
      pose proof (length_step (S k)) as L. fold N in L. apply q_le in L. rewrite !q_mult in L. change (q 2) with (2 # 1)%Q in L.
      apply q_le in St. rewrite q_mult in St.
      assert (D' : (q (G - M) == q G - q M)%Q).
      { assert (q (G - M) + q M == q G)%Q by (rewrite <- q_plus; now replace (G - M + M) with G by lia). lra. }
      rewrite D' in St. apply (q_lt 0) in PN. apply q_lt in GM.
      generalize dependent (r tau (S k)). intros x R RN T.
      set (A := q N) in *. set (g := q G) in *. set (mm := q M) in *.
      set (LD := q (length (D (S (S k))))) in *. set (gd := q (m (good c) (D (S (S k))))) in *.
      change (q 0) with 0%Q in PN.
      unfold Qdiv. change (/ 2)%Q with (1 # 2)%Q.
      assert (S1 : (x * (x - tau) * (1 # 2) * LD <= x * (x - tau) * (A * A))%Q).
      { assert (0 <= x * (x - tau))%Q by nra. nra. }
      assert (S2 : (x * (x - tau) * (A * A) <= g * (g - mm))%Q).
      { assert (0 <= x * A)%Q by nra. assert (0 <= x * A - tau * A)%Q by nra.
        assert ((x * A) * (x * A - tau * A) <= g * (g - mm))%Q by nra.
        assert (x * (x - tau) * (A * A) == (x * A) * (x * A - tau * A))%Q by ring. lra. }
      lra.
Qed.

Lemma repaired : frequent points H draws c n d tie pick tau.
Proof.
  destruct (climb d (le_n d)) as [found|[P R]]; [exact found|].
  exists d, c. split; [easy|]. rewrite Pr_eq.
  assert (t : 0 < count_T) by apply some_T.
  apply Qle_shift_div_l.
  - apply (q_lt 0). rewrite length_plays. now apply Nat.mul_pos_pos.
  - pose proof good_all as A. apply q_le in A. apply Qle_trans with (q (m good_player (plays (D d)))); [|easy].
    rewrite goods_plays, length_plays, !q_mult, Qmult_assoc. apply Qmult_le_compat_r; [|apply (q_le 0); lia].
    apply Qle_trans with (r tau d * q (length (D d)))%Q; [|easy].
    apply Qmult_le_compat_r; [easy|]. apply (q_le 0). lia.
Qed.
End Threshold.
End Proof.

(** * The theorem *)

Theorem Lemma_12_repaired points H draws c n d tie pick tau :
  instance points H draws c d pick -> (0 < tau <= 1)%Q -> (tau <= r tau d)%Q ->
  frequent points H draws c n d tie pick tau.
Proof. intros I P R. now apply repaired. Qed.

(** The best unit fractions for d = 1, 2, 3, 4. *)
Theorem thresholds points H draws c n d tie pick tau :
  instance points H draws c d pick ->
  In (d, tau) [(1, (1 # 2)%Q); (2, (1 # 10)%Q); (3, (1 # 140)%Q); (4, (1 # 32920)%Q)] ->
  frequent points H draws c n d tie pick tau.
Proof.
  intros I J. apply Lemma_12_repaired; [easy | |]; cbn in J;
    repeat (destruct J as [E|J]; [injection E as <- <-; (split; easy) || easy |]); easy.
Qed.

(** For dimension 0 and 1 the lemma is true as printed. *)
Theorem Lemma_12_for_dimension_one points H draws c n d tie pick :
  instance points H draws c d pick -> d <= 1 -> Lemma_12 points H draws c n d tie pick.
Proof.
  intros I le. assert (d = 0 \/ d = 1) as [->| ->] by lia; apply Lemma_12_repaired; easy || (split; easy).
Qed.
