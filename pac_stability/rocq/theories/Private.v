(** Finite laws over rational numbers, indistinguishability, and the exponential mechanism. *)
From Coq Require Import List QArith Bool Lia Lqa Qpower.
Import ListNotations.
Local Open Scope Q_scope.

(** * Definitions *)
Definition law := list Q.                       (* probabilities of outcomes 0, 1, ... *)
Definition event := list bool.
Fixpoint total (p : law) : Q := match p with [] => 0 | x :: p => x + total p end.
Definition is_law (p : law) := (forall x, In x p -> 0 <= x) /\ total p == 1.
Fixpoint probability (E : event) (p : law) : Q :=
  match E, p with b :: E, x :: p => (if b then x else 0) + probability E p | _, _ => 0 end.

(** (ratio, delta)-indistinguishable, with ratio = e^epsilon rational [DR14; BLM20, Definition 9] *)
Definition indistinguishable (ratio delta : Q) (p q : law) :=
  forall E, probability E p <= ratio * probability E q + delta /\
            probability E q <= ratio * probability E p + delta.

(** * A refuted audit: two laws and an event *)
(** Sums in lowest terms: with a common denominator the numbers stay small. *)
Fixpoint total' (p : law) : Q := match p with [] => 0 | x :: p => Qred (x + total' p) end.
Fixpoint probability' (E : event) (p : law) : Q :=
  match E, p with b :: E, x :: p => if b then Qred (x + probability' E p) else probability' E p | _, _ => 0 end.

Definition check_law (p : law) : bool := forallb (Qle_bool 0) p && Qeq_bool (total' p) 1.
Definition exceeds (E : event) (ratio delta : Q) (p q : law) : bool :=
  negb (Qle_bool (probability' E p) (ratio * probability' E q + delta)).

Lemma total_red p : total' p == total p.
Proof. induction p as [|x p IH]; cbn [total total']; [easy|]. now rewrite Qred_correct, IH. Qed.

Lemma probability_red E p : probability' E p == probability E p.
Proof.
  revert p. induction E as [|b E IH]; intros [|x p]; cbn [probability probability']; try easy.
  destruct b; rewrite ?Qred_correct, IH; [easy | ring].
Qed.

Lemma check_law_sound p : check_law p = true -> is_law p.
Proof.
  unfold check_law. rewrite andb_true_iff, forallb_forall, Qeq_bool_iff, total_red. intros [A B].
  split; [|easy]. intros x I. now apply Qle_bool_iff, A.
Qed.

Theorem by_event E ratio delta p q :
  check_law p && check_law q && exceeds E ratio delta p q = true ->
  is_law p /\ is_law q /\ ~ indistinguishable ratio delta p q.
Proof.
  rewrite !andb_true_iff. intros [[P Q] X]. split; [|split]; try now apply check_law_sound. intros I.
  destruct (I E) as [L _]. unfold exceeds in X. rewrite <- !probability_red in L.
  apply Qle_bool_iff in L. now rewrite L in X.
Qed.

(** * A verified pair: it is enough to look at single outcomes *)
Lemma pointwise ratio p q :
  0 <= ratio -> Forall2 (fun x y => x <= ratio * y) p q ->
  forall E, probability E p <= ratio * probability E q.
Proof.
  intros pos. induction 1 as [|x y p q L A IH]; intros [|b E]; simpl; try nra.
  specialize (IH E). destruct b; nra.
Qed.

(** * The exponential mechanism with a rational decay rho
    Outcome o has weight rho^(score o); its probability is its weight over the sum of all weights. *)
Definition weight (rho : Q) (score : nat) : Q := rho ^ Z.of_nat score.
Definition weights (rho : Q) (scores : list nat) : list Q := map (weight rho) scores.
Definition exponential (rho : Q) (scores : list nat) : law :=
  map (fun s => weight rho s / total (weights rho scores)) scores.

Definition sensitivity_1 (s t : list nat) := Forall2 (fun a b => (a <= S b /\ b <= S a)%nat) s t.

Arguments weight : simpl never.

Section Mechanism.
Variable rho : Q.
Hypothesis pos : 0 < rho.
Hypothesis one : rho <= 1.

Lemma nonzero : ~ rho == 0.
Proof. intros E. rewrite E in pos. now apply Qlt_irrefl in pos. Qed.

Lemma weight_S n : weight rho (S n) == rho * weight rho n.
Proof.
  unfold weight. replace (Z.of_nat (S n)) with (1 + Z.of_nat n)%Z by lia.
  rewrite Qpower_plus by exact nonzero. now rewrite Qpower_1_r.
Qed.

Lemma weight_pos n : 0 < weight rho n.
Proof. induction n; [easy|]. rewrite weight_S. nra. Qed.

Lemma weight_anti a b : (a <= b)%nat -> weight rho b <= weight rho a.
Proof.
  induction 1 as [|b L IH]; [apply Qle_refl|]. rewrite weight_S. pose proof (weight_pos b). nra.
Qed.

(** A score that moves by at most one moves the weight by a factor rho at most. *)
Lemma weight_step a b : (a <= S b)%nat -> rho * weight rho b <= weight rho a.
Proof. intros L. rewrite <- weight_S. now apply weight_anti. Qed.

Lemma total_step s t : sensitivity_1 s t -> rho * total (weights rho t) <= total (weights rho s).
Proof.
  induction 1 as [|a b s t [L _] A IH]; simpl; [nra|]. pose proof (weight_step a b L).
  fold (weights rho s) (weights rho t). nra.
Qed.

Lemma total_pos s : s <> [] -> 0 < total (weights rho s).
Proof.
  induction s as [|a s IH]; intros ne; [easy|]. simpl. fold (weights rho s).
  pose proof (weight_pos a). destruct s as [|b s]; [simpl; lra|]. assert (0 < total (weights rho (b :: s))) by now apply IH. lra.
Qed.

Lemma one_outcome a b Ws Wt : 0 < Ws -> 0 < Wt -> rho * Wt <= Ws -> (b <= S a)%nat ->
  weight rho a / Ws <= / rho * / rho * (weight rho b / Wt).
Proof.
  intros Ps Pt T L. pose proof (weight_step b a L) as A. pose proof (weight_pos a) as Pa.
  apply Qle_shift_div_r; [easy|].
  setoid_replace (/ rho * / rho * (weight rho b / Wt) * Ws) with ((weight rho b * Ws) / (rho * (rho * Wt))).
  2: { field. split; intros E; rewrite E in *; now apply Qlt_irrefl in pos || now apply Qlt_irrefl in Pt. }
  assert (R : 0 < rho * Wt) by nra. assert (RR : 0 < rho * (rho * Wt)) by nra.
  apply Qle_shift_div_l; [easy|]. apply Qle_trans with (rho * weight rho a * Ws).
  - setoid_replace (weight rho a * (rho * (rho * Wt))) with (rho * weight rho a * (rho * Wt)) by ring.
    rewrite !(Qmult_comm (rho * weight rho a)). apply Qmult_le_compat_r; nra.
  - apply Qmult_le_compat_r; lra.
Qed.

Lemma sensitivity_sym s t : sensitivity_1 s t -> sensitivity_1 t s.
Proof. induction 1; constructor; tauto. Qed.

Lemma one_way s t : sensitivity_1 s t ->
  Forall2 (fun x y => x <= (/ rho * / rho) * y) (exponential rho s) (exponential rho t).
Proof.
  intros A. unfold exponential. destruct A as [|a b s t L A]; [constructor|].
  assert (B : sensitivity_1 (a :: s) (b :: t)) by now constructor.
  pose proof (total_step _ _ B) as T.
  assert (Ps : 0 < total (weights rho (a :: s))) by now apply total_pos.
  assert (Pt : 0 < total (weights rho (b :: t))) by now apply total_pos.
  revert T Ps Pt. generalize (total (weights rho (a :: s))) (total (weights rho (b :: t))).
  intros Ws Wt T Ps Pt. clear -B pos one T Ps Pt.
  induction B as [|x y s' t' [_ M] B IH]; simpl; constructor; [now apply one_outcome | exact IH].
Qed.

(** The exponential mechanism is rho^-2-private, for every score of sensitivity 1. *)
Theorem exponential_private s t : sensitivity_1 s t ->
  indistinguishable (/ rho * / rho) 0 (exponential rho s) (exponential rho t).
Proof.
  intros A E. assert (0 <= / rho * / rho) by (pose proof (Qinv_lt_0_compat rho pos); nra).
  split; rewrite Qplus_0_r; apply pointwise; try easy; apply one_way; [easy | now apply sensitivity_sym].
Qed.

Lemma total_div (f : nat -> Q) w s : total (map (fun x => f x / w) s) == total (map f s) / w.
Proof. induction s as [|x s IH]; simpl; unfold Qdiv in *; [ring|]. rewrite IH. ring. Qed.

Theorem exponential_is_law s : s <> [] -> is_law (exponential rho s).
Proof.
  intros ne. pose proof (total_pos s ne) as P. split.
  - intros x I. apply in_map_iff in I as (a & <- & _).
    apply Qle_shift_div_l; [easy|]. rewrite Qmult_0_l. apply Qlt_le_weak, weight_pos.
  - unfold exponential. rewrite total_div. apply Qmult_inv_r.
    intros E. unfold weights in P. rewrite E in P. now apply Qlt_irrefl in P.
Qed.
End Mechanism.
