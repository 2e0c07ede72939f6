(** Post-processing keeps closeness; so a private predictor gives private predictions. *)
From Coq Require Import List NArith QArith Bool Lia Lqa.
From PacStability Require Import Private.
Import ListNotations.
Local Open Scope Q_scope.

(** * Definitions *)

(** The average of numbers, one for each outcome, under a law. *)
Fixpoint average (f : list Q) (p : law) : Q :=
  match f, p with y :: f, x :: p => x * y + average f p | _, _ => 0 end.

(** What comes out when outcome o of p is replaced by a draw from the law number o of K. *)
Fixpoint plus (p q : law) : law :=
  match p, q with x :: p, y :: q => x + y :: plus p q | [], q => q | p, [] => p end.
Fixpoint after (K : list law) (p : law) : law :=
  match K, p with k :: K, x :: p => plus (map (Qmult x) k) (after K p) | _, _ => [] end.

(** A predictor gives each point the probability of label 1: 0 or 1 if it is a hypothesis. *)
Definition predictor := N -> Q.
Definition is_predictor (f : predictor) := forall x, 0 <= f x <= 1.
Definition label_1 (predictors : list predictor) (x : N) (p : law) : Q := average (map (fun f => f x) predictors) p.
Definition label_0 (predictors : list predictor) (x : N) (p : law) : Q := average (map (fun f => 1 - f x) predictors) p.

(** * The most that a test with values in [0, 1] can tell apart is told by an event *)

Fixpoint worst (ratio : Q) (p q : law) : event :=
  match p, q with x :: p, y :: q => negb (Qle_bool x (ratio * y)) :: worst ratio p q | _, _ => [] end.

Lemma average_worst ratio f p q : length p = length q -> (forall y, In y f -> 0 <= y <= 1) ->
  average f p - ratio * average f q <= probability (worst ratio p q) p - ratio * probability (worst ratio p q) q.
Proof.
  revert p q. assert (Z : forall p q, length p = length q ->
    0 <= probability (worst ratio p q) p - ratio * probability (worst ratio p q) q).
  { induction p as [|x p IH]; intros [|y q] L; try easy; [cbn; lra|]. injection L as L. specialize (IH q L). cbn.
    destruct (Qle_bool x (ratio * y)) eqn:E; cbn; [lra|].
    assert (ratio * y < x) by (apply Qnot_le_lt; intros C; apply Qle_bool_iff in C; congruence). lra. }
  induction f as [|z f IH]; intros p q L B.
  - specialize (Z p q L). cbn. lra.
  - destruct p as [|x p], q as [|y q]; try easy; [cbn; lra|]. injection L as L.
    assert (I : average f p - ratio * average f q <=
                probability (worst ratio p q) p - ratio * probability (worst ratio p q) q).
    { apply IH; [easy|]. intros w J. apply B. now right. }
    pose proof (B z (or_introl eq_refl)). cbn.
    destruct (Qle_bool x (ratio * y)) eqn:E; cbn.
    + apply Qle_bool_iff in E. nra.
    + assert (ratio * y < x) by (apply Qnot_le_lt; intros C; apply Qle_bool_iff in C; congruence). nra.
Qed.

Theorem tests ratio delta f p q : length p = length q -> (forall y, In y f -> 0 <= y <= 1) ->
  indistinguishable ratio delta p q ->
  average f p <= ratio * average f q + delta /\ average f q <= ratio * average f p + delta.
Proof.
  intros L B I. split.
  - pose proof (average_worst ratio f p q L B). destruct (I (worst ratio p q)) as [H0 _]. lra.
  - pose proof (average_worst ratio f q p (eq_sym L) B). destruct (I (worst ratio q p)) as [_ H0]. lra.
Qed.

(** * Post-processing *)

Lemma probability_nil E : probability E [] == 0.
Proof. now destruct E. Qed.

Lemma probability_plus E p q : probability E (plus p q) == probability E p + probability E q.
Proof.
  revert p q. induction E as [|b E IH]; intros p q; [cbn; lra|].
  destruct p as [|x p], q as [|y q]; cbn [plus]; cbn [probability]; try lra.
  rewrite IH. destruct b; lra.
Qed.

Lemma probability_scaled E c p : probability E (map (Qmult c) p) == c * probability E p.
Proof.
  revert p. induction E as [|b E IH]; intros p; [cbn; lra|]. destruct p as [|x p]; cbn; [lra|].
  rewrite IH. destruct b; lra.
Qed.

Lemma probability_after E K p : probability E (after K p) == average (map (probability E) K) p.
Proof.
  revert p. induction K as [|k K IH]; intros p; [apply probability_nil|].
  destruct p as [|x p]; cbn [after map average]; [apply probability_nil|].
  now rewrite probability_plus, probability_scaled, IH.
Qed.

Lemma probability_within E p : is_law p -> 0 <= probability E p <= 1.
Proof.
  intros [N T]. assert (A : forall E p, (forall x, In x p -> 0 <= x) -> 0 <= probability E p <= total p).
  { clear. induction E as [|b E IH]; intros p N.
    - cbn. split; [lra|]. induction p as [|x p IH]; cbn; [lra|].
      pose proof (N x (or_introl eq_refl)). assert (0 <= total p) by (apply IH; intros y J; apply N; now right). lra.
    - destruct p as [|x p]; cbn; [lra|]. pose proof (N x (or_introl eq_refl)).
      assert (0 <= probability E p <= total p) by (apply IH; intros y J; apply N; now right). destruct b; lra. }
  specialize (A E p N). lra.
Qed.

Theorem post_processing ratio delta K p q : length p = length q -> (forall k, In k K -> is_law k) ->
  indistinguishable ratio delta p q -> indistinguishable ratio delta (after K p) (after K q).
Proof.
  intros L laws I E. rewrite !probability_after. apply tests; try easy.
  intros y J. apply in_map_iff in J as (k & <- & J). now apply probability_within, laws.
Qed.

(** * Predictions *)

Theorem private_predictions ratio delta predictors p q x : length p = length q ->
  (forall f, In f predictors -> is_predictor f) -> indistinguishable ratio delta p q ->
  (label_1 predictors x p <= ratio * label_1 predictors x q + delta /\
   label_1 predictors x q <= ratio * label_1 predictors x p + delta) /\
  (label_0 predictors x p <= ratio * label_0 predictors x q + delta /\
   label_0 predictors x q <= ratio * label_0 predictors x p + delta).
Proof.
  intros L P I. unfold label_1, label_0. split; apply tests; try easy;
    intros y J; apply in_map_iff in J as (f & <- & J); pose proof (P f J x); lra.
Qed.
