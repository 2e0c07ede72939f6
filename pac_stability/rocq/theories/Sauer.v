(** DF20, Lemma 5: the growth function of a class of VC dimension d is at most (en/d)^d. *)
From Coq Require Import List NArith ZArith QArith Bool Lia Lqa.
From PacStability Require Import Ldim Growth.
Import ListNotations.
Local Open Scope Q_scope.

(** * Definitions *)

Notation number n := (inject_Z (Z.of_nat n)).
Fixpoint power (x : Q) (n : nat) : Q := match n with O => 1 | S n => x * power x n end.

(** Euler's number is the least that is at least all of (1 + 1/k)^k. *)
Definition at_least_e (e : Q) := forall k, (0 < k)%nat -> power (1 + 1 / number k) k <= e.

(** * Powers *)

Lemma number_S n : number (S n) == number n + 1.
Proof. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. easy. Qed.

Lemma number_plus n m : number (n + m) == number n + number m.
Proof. rewrite Nat2Z.inj_add, inject_Z_plus. easy. Qed.

Lemma number_least n : 0 <= number n.
Proof. change 0 with (number 0). rewrite <- Zle_Qle. lia. Qed.

Lemma power_least x n : 0 <= x -> 0 <= power x n.
Proof. intros P. induction n; cbn; [lra | nra]. Qed.

Lemma power_ext x y n : x == y -> power x n == power y n.
Proof. intros E. induction n as [|n IH]; cbn; [easy | now apply Qmult_comp]. Qed.

Lemma power_le x y n : 0 <= x -> x <= y -> power x n <= power y n.
Proof. intros P L. induction n as [|n IH]; cbn; [lra|]. pose proof (power_least x n P). nra. Qed.

Lemma power_product x y n : power (x * y) n == power x n * power y n.
Proof. induction n as [|n IH]; cbn; [ring|]. rewrite IH. ring. Qed.

Lemma power_swap x n m : power (power x n) m == power (power x m) n.
Proof.
  revert n. induction m as [|m IH]; intros n; cbn.
  - induction n as [|n J]; cbn; [easy|]. rewrite <- J. ring.
  - rewrite IH, <- power_product. now apply power_ext.
Qed.

Lemma Bernoulli x n : 0 <= x -> 1 + number n * x <= power (1 + x) n.
Proof.
  intros P. induction n as [|n IH]; cbn [power]; [change (number 0) with 0; lra|].
  rewrite number_S. pose proof (number_least n). nra.
Qed.

(** * Sums of binomials *)

(** The first terms of (1 + x)^n. *)
Fixpoint terms (n d : nat) (x : Q) : Q :=
  match d with O => number (binomial n 0) | S k => terms n k x + number (binomial n (S k)) * power x (S k) end.

Lemma terms_S n d x : terms (S n) (S d) x == terms n (S d) x + x * terms n d x.
Proof.
  induction d as [|d IH].
  - cbn [terms binomial power]. rewrite number_plus. destruct n; cbn [binomial]; ring.
  - cbn [terms] in *. rewrite IH. cbn [binomial]. rewrite number_plus. cbn [power]. ring.
Qed.

Lemma terms_least n d x : 0 <= x -> 0 <= terms n d x.
Proof.
  intros P. induction d as [|d IH]; cbn [terms]; [apply number_least|].
  pose proof (number_least (binomial n (S d))). pose proof (power_least x (S d) P). nra.
Qed.

Lemma terms_most n d x : 0 <= x -> terms n d x <= power (1 + x) n.
Proof.
  intros P. revert d. assert (B : 1 <= power (1 + x) n) by (pose proof (Bernoulli x n P); pose proof (number_least n); nra).
  assert (Z : forall n, binomial n 0 = 1%nat) by (now intros []).
  induction n as [|n IH]; intros d.
  - cbn [power]. induction d as [|d J]; cbn [terms binomial] in *; [change (number 1) with 1; lra|].
    change (number 0) with 0. lra.
  - assert (B' : 1 <= power (1 + x) n) by (pose proof (Bernoulli x n P); pose proof (number_least n); nra).
    destruct d as [|d]; [cbn [terms]; rewrite Z; exact B|]. rewrite terms_S. cbn [power].
    pose proof (IH B' (S d)). pose proof (IH B' d). pose proof (terms_least n d x P). nra.
Qed.

Lemma terms_of_powers n d k x : 0 <= x -> x <= 1 -> (d <= k)%nat -> number (binomials n d) * power x k <= terms n d x.
Proof.
  intros P L. assert (D : forall a b, (a <= b)%nat -> power x b <= power x a).
  { induction 1 as [|b _ IH]; [lra|]. cbn [power]. pose proof (power_least x b P). nra. }
  assert (U : forall a, power x a <= 1) by (intros a; apply (D O a); lia).
  induction d as [|d IH]; intros K; cbn [binomials terms].
  - pose proof (U k). pose proof (number_least (binomial n 0)). nra.
  - rewrite number_plus. pose proof (D (S d) k K). pose proof (number_least (binomial n (S d))).
    specialize (IH ltac:(lia)). nra.
Qed.

Theorem binomials_most e n d : at_least_e e -> (1 <= d <= n)%nat ->
  number (binomials n d) <= power (e * number n / number d) d.
Proof.
  intros E [D N]. assert (Pd : 0 < number d) by (change 0 with (number 0); rewrite <- Zlt_Qlt; lia).
  assert (Pn : 0 < number n) by (change 0 with (number 0); rewrite <- Zlt_Qlt; lia).
  assert (L : number d <= number n) by (rewrite <- Zle_Qle; lia).
  set (x := number d / number n). set (y := 1 / number n).
  assert (Y : 0 <= y) by (apply Qle_shift_div_l; lra).
  assert (X : x == number d * y) by (unfold x, y; field; lra).
  assert (P : 0 <= x) by (rewrite X; nra). assert (Q : x <= 1) by (apply Qle_shift_div_r; lra).
  assert (A : number (binomials n d) * power x d <= power e d).
  { apply Qle_trans with (terms n d x); [now apply terms_of_powers|].
    apply Qle_trans with (power (1 + x) n); [now apply terms_most|].
    apply Qle_trans with (power (power (1 + y) d) n).
    - apply power_le; [lra|]. rewrite X. now apply Bernoulli.
    - rewrite power_swap. apply power_le; [apply power_least; lra|]. apply E. lia. }
  assert (R : 0 <= number n / number d) by (apply Qle_shift_div_l; lra).
  rewrite (power_ext _ (e * (number n / number d))) by (field; lra). rewrite power_product.
  assert (One : power x d * power (number n / number d) d == 1).
  { rewrite <- power_product. rewrite (power_ext _ 1) by (unfold x; field; lra). clear. induction d as [|d IH]; cbn; [easy|]. rewrite IH. ring. }
  setoid_replace (number (binomials n d)) with (number (binomials n d) * power x d * power (number n / number d) d).
  - pose proof (power_least _ d R). nra.
  - rewrite <- Qmult_assoc, One. ring.
Qed.

(** * The lemma *)

Lemma binomials_more n m d : (n <= m)%nat -> (binomials n d <= binomials m d)%nat.
Proof.
  induction 1 as [|m _ IH]; [easy|]. enough (binomials m d <= binomials (S m) d)%nat by lia. clear.
  assert (A : forall k, (binomial m k <= binomial (S m) k)%nat) by (intros [|k]; cbn; [now destruct m | lia]).
  induction d as [|d IH]; cbn [binomials]; [apply A|]. specialize (A (S d)). lia.
Qed.

Theorem Lemma_5 e H X d n t : at_least_e e -> (1 <= d <= n)%nat -> VC_at_most H X d -> growth H X n t ->
  (t <= binomials n d)%nat /\ number (binomials n d) <= power (e * number n / number d) d.
Proof.
  intros E D V [(A & I & L & <-) _]. split; [|now apply binomials_most].
  apply Nat.le_trans with (binomials (length A) d); [now apply (Sauer_Shelah H X) | now apply binomials_more].
Qed.

(** It is not so for fewer than d points. *)
Theorem not_for_fewer e : 0 <= e -> e <= 14 # 5 -> power (e * number 1 / number 2) 2 < number (binomials 1 2).
Proof.
  intros P L. change (number (binomials 1 2)) with 2. change (number 1) with 1. change (number 2) with 2.
  setoid_replace (power (e * 1 / 2) 2) with (e * e * (1 # 4)) by (cbn; field). nra.
Qed.
