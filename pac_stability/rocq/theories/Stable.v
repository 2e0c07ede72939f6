(** The exponential learner on a fixed list of candidates: private, and uniformly stable in its predictions. *)
From Coq Require Import List NArith Arith Bool QArith Lqa Lia.
From PacStability Require Import Ldim Private.
Import ListNotations.
Local Open Scope Q_scope.

(** * Definitions *)

Fixpoint errors (S : list (N * bool)) (h : N) : nat :=
  match S with [] => 0 | e :: rest => (if eqb (label h (fst e)) (snd e) then 0 else 1) + errors rest h end.

(** A candidate is drawn with the weight rho^errors. *)
Definition learner (rho : Q) (candidates : class) (S : list (N * bool)) : law :=
  exponential rho (map (errors S) candidates).

(** The event that the candidate drawn has label 1 at x. *)
Definition predicts_one (candidates : class) (x : N) : event := map (fun h => label h x) candidates.

(** * One example is replaced *)

Lemma errors_app S T h : errors (S ++ T) h = (errors S h + errors T h)%nat.
Proof. induction S as [|e S IH]; [easy|]. cbn [app errors]. rewrite IH. lia. Qed.

Lemma neighbours candidates A e e' B :
  sensitivity_1 (map (errors (A ++ e :: B)) candidates) (map (errors (A ++ e' :: B)) candidates).
Proof.
  induction candidates as [|h l IH]; [constructor|]. cbn [map]. constructor; [|exact IH].
  rewrite !errors_app. cbn [errors]. destruct (eqb _ (snd e)), (eqb _ (snd e')); lia.
Qed.

Theorem learner_private rho candidates A e e' B : 0 < rho -> rho <= 1 ->
  indistinguishable (/ rho * / rho) 0 (learner rho candidates (A ++ e :: B)) (learner rho candidates (A ++ e' :: B)).
Proof. intros P L. apply exponential_private; [easy | easy | apply neighbours]. Qed.

Lemma probability_most E p : (forall x, In x p -> 0 <= x) -> 0 <= probability E p <= total p.
Proof.
  revert p. induction E as [|b E IH]; intros p N.
  - cbn. split; [lra|]. induction p as [|x p IH]; cbn; [lra|].
    pose proof (N x (or_introl eq_refl)). assert (0 <= total p) by (apply IH; intros y J; apply N; now right). lra.
  - destruct p as [|x p]; cbn; [lra|]. pose proof (N x (or_introl eq_refl)).
    assert (0 <= probability E p <= total p) by (apply IH; intros y J; apply N; now right). destruct b; lra.
Qed.

(** The probability of predicting 1 moves by at most 1 - rho^2 = 1 - e^-epsilon. *)
Theorem uniformly_stable rho candidates A e e' B x : 0 < rho -> rho <= 1 -> candidates <> [] ->
  probability (predicts_one candidates x) (learner rho candidates (A ++ e :: B)) -
  probability (predicts_one candidates x) (learner rho candidates (A ++ e' :: B)) <= 1 - rho * rho.
Proof.
  intros P L ne. destruct (learner_private rho candidates A e e' B P L (predicts_one candidates x)) as [I _].
  assert (W : is_law (learner rho candidates (A ++ e :: B))).
  { apply exponential_is_law; [easy|]. now destruct candidates. }
  destruct W as [N T]. pose proof (probability_most (predicts_one candidates x) _ N) as M. rewrite T in M.
  revert I M. generalize (probability (predicts_one candidates x) (learner rho candidates (A ++ e :: B))).
  generalize (probability (predicts_one candidates x) (learner rho candidates (A ++ e' :: B))).
  intros b a I M. rewrite Qplus_0_r in I.
  assert (E : rho * / rho == 1) by (apply Qmult_inv_r; intros Z; rewrite Z in P; now apply Qlt_irrefl in P).
  assert (S : rho * rho * a <= b).
  { assert (rho * rho * a <= rho * rho * (/ rho * / rho * b)) by (apply (Qmult_le_l _ _ (rho * rho)); [nra | easy]).
    assert (rho * rho * (/ rho * / rho * b) == (rho * / rho) * (rho * / rho) * b) by ring. rewrite E in H0. lra. }
  assert (R : 0 <= 1 - rho * rho) by nra.
  assert (Q : a * (1 - rho * rho) <= 1 * (1 - rho * rho)) by (apply Qmult_le_compat_r; tauto).
  assert (D : a * (1 - rho * rho) == a - rho * rho * a) by ring. rewrite D in Q. lra.
Qed.
