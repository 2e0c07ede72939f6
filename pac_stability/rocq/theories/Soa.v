(** Littlestone's theorem: the SOA makes at most Ldim(H) mistakes, and every learner can be forced to make as many. *)
From Coq Require Import List NArith Arith Bool Lia.
From PacStability Require Import Ldim.
Import ListNotations.

(** A deterministic online learner: what it predicts at a point after the examples seen (oldest first). *)
Definition learner := list (N * bool) -> N -> bool.

Fixpoint mistakes_from (L : learner) (seen rest : list (N * bool)) : nat :=
  match rest with
  | [] => 0
  | e :: rest => (if eqb (L seen (fst e)) (snd e) then 0 else 1) + mistakes_from L (seen ++ [e]) rest
  end.
Definition mistakes (L : learner) (S : list (N * bool)) := mistakes_from L [] S.

Definition realizable (H : class) (S : list (N * bool)) := exists h, In h H /\ agrees h S.

(** The version space, and "argmax_b Ldim(V^b(x))" with any rule for ties. *)
Definition version_space (H : class) (S : list (N * bool)) := fold_left (fun V e => side V (fst e) (snd e)) S H.
Definition is_SOA (H : class) (L : learner) := forall S x k, realizable H S ->
  Ldim_ge (side (version_space H S) x (negb (L S x))) k -> Ldim_ge (side (version_space H S) x (L S x)) k.

Lemma version_space_app H S e : version_space H (S ++ [e]) = side (version_space H S) (fst e) (snd e).
Proof. unfold version_space. now rewrite fold_left_app. Qed.

Lemma in_version_space H S h : In h (version_space H S) <-> In h H /\ agrees h S.
Proof.
  induction S as [|e S IH] using rev_ind;
    [unfold version_space; simpl; split; [intros I; split; [easy | constructor] | tauto]|].
  rewrite version_space_app, in_side, IH. unfold agrees. rewrite Forall_app, Forall_cons_iff. intuition.
Qed.

Lemma soa_from H L : is_SOA H L -> forall rest seen k, realizable H (seen ++ rest) ->
  ~ Ldim_ge (version_space H seen) (S k) -> mistakes_from L seen rest <= k.
Proof.
  intros soa. induction rest as [|[x y] rest IH]; intros seen k R B; simpl; [lia|].
  assert (R' : realizable H ((seen ++ [(x, y)]) ++ rest)) by now rewrite <- app_assoc.
  assert (V : version_space H (seen ++ [(x, y)]) = side (version_space H seen) x y) by apply version_space_app.
  assert (P : realizable H seen).
  { destruct R as (h & I & A). exists h. split; [easy|]. now apply Forall_app in A. }
  destruct (eqb (L seen x) y) eqn:E.
  - apply IH; [easy|]. rewrite V. intros G. apply B. eapply ge_sub; [|exact G].
    intros h I. now apply in_side in I.
  - assert (D : forall k, Ldim_ge (side (version_space H seen) x y) k -> Ldim_ge (version_space H seen) (S k)).
    { intros j G. rewrite ge_S. exists x.
      assert (N : y = negb (L seen x)) by (destruct y, (L seen x); easy). rewrite N in G.
      pose proof (soa seen x j P G). destruct (L seen x); easy. }
    destruct k as [|k].
    + exfalso. apply B, D. rewrite ge_0. destruct R' as (h & I & A). apply Forall_app in A as [A _].
      assert (J : In h (side (version_space H seen) x y)) by (rewrite <- V; now apply in_version_space).
      intros Z. now rewrite Z in J.
    + simpl. apply le_n_S, IH; [easy|]. rewrite V. intros G. now apply B, D.
Qed.

Theorem SOA_mistakes H d L S :
  Littlestone H d -> is_SOA H L -> realizable H S -> mistakes L S <= d.
Proof.
  intros [_ U] soa R. apply (soa_from H); [easy | easy|]. intros G. apply U in G. lia.
Qed.

(** The adversary: ask the root of a shattered tree and say the opposite of what is predicted. *)
Lemma adversary L d : forall H seen, Ldim_ge H d ->
  exists S, realizable H S /\ mistakes_from L seen S = d.
Proof.
  induction d as [|d IH]; intros H seen G.
  - rewrite ge_0 in G. destruct H as [|h H]; [easy|]. exists []. split; [|easy].
    exists h. split; [now left | constructor].
  - rewrite ge_S in G. destruct G as (x & G0 & G1).
    assert (G : Ldim_ge (side H x (negb (L seen x))) d) by now destruct (L seen x).
    destruct (IH _ (seen ++ [(x, negb (L seen x))]) G) as (S & (h & I & A) & M).
    exists ((x, negb (L seen x)) :: S). apply in_side in I. split.
    + exists h. split; [easy | now constructor].
    + simpl. rewrite M. now destruct (L seen x).
Qed.

Theorem every_learner_errs H d L : Littlestone H d -> exists S, realizable H S /\ mistakes L S = d.
Proof. intros [G _]. now apply adversary. Qed.

(** On a realizable sequence the predictor fits the examples seen. *)
Theorem SOA_consistent H L S e : is_SOA H L -> realizable H S -> In e S -> L S (fst e) = snd e.
Proof.
  intros soa (h & I & A) J. destruct (bool_dec (L S (fst e)) (snd e)) as [E|E]; [easy|exfalso].
  assert (fits : forall g, In g (version_space H S) -> label g (fst e) = snd e).
  { intros g G. apply in_version_space in G as [_ G]. unfold agrees in G. rewrite Forall_forall in G.
    now apply G. }
  assert (V : In h (version_space H S)) by now apply in_version_space.
  assert (Z : Ldim_ge (side (version_space H S) (fst e) (L S (fst e))) 0).
  { apply soa; [now exists h|]. rewrite ge_0. intros Z.
    assert (F : In h (side (version_space H S) (fst e) (negb (L S (fst e))))).
    { apply in_side. split; [easy|]. rewrite fits by easy. destruct (snd e), (L S (fst e)); easy. }
    now rewrite Z in F. }
  rewrite ge_0 in Z. destruct (side _ _ _) as [|g l] eqn:F; [easy|].
  assert (G : In g (side (version_space H S) (fst e) (L S (fst e)))) by (rewrite F; now left).
  apply in_side in G as [G B]. apply fits in G. congruence.
Qed.
