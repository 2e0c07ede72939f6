(** Random sampling improves privacy: an algorithm on m of n examples, drawn one after another without replacement. *)
From Coq Require Import List NArith ZArith QArith Bool Lia Lqa.
From PacStability Require Import Private Processing Losses.
Import ListNotations.
Local Open Scope Q_scope.

(** * Definitions *)

Section Sampling.
Variable Example : Type.
Notation data := (list Example).

(** Each of the examples, with the others. *)
Fixpoint picks (D : data) : list (Example * data) :=
  match D with [] => [] | x :: D => (x, D) :: map (fun p => (fst p, x :: snd p)) (picks D) end.

(** All ways of drawing m of them one after another. *)
Fixpoint draws (m : nat) (D : data) : list data :=
  match m with
  | O => [[]]
  | S m => flat_map (fun p => map (cons (fst p)) (draws m (snd p))) (picks D)
  end.

(** One of these ways, all equally likely; the algorithm M runs on what is drawn. *)
Definition sampled (M : data -> law) (m : nat) (D : data) : law :=
  after (map M (draws m D)) (map (fun _ => fraction 1 (length (draws m D))) (draws m D)).

(** (ratio, 0)-private on m examples: for one that is replaced. *)
Definition private (ratio : Q) (M : data -> law) (m : nat) := forall A e e' B,
  length (A ++ e :: B) = m -> indistinguishable ratio 0 (M (A ++ e :: B)) (M (A ++ e' :: B)).

(** * Sums *)

Fixpoint sum {T : Type} (l : list T) (g : T -> Q) : Q :=
  match l with [] => 0 | x :: l => g x + sum l g end.

Lemma sum_ext {T : Type} (l : list T) g h : (forall x, In x l -> g x == h x) -> sum l g == sum l h.
Proof.
  induction l as [|x l IH]; intros A; cbn; [easy|]. rewrite (A x), IH; [easy | | now left].
  intros y I. apply A. now right.
Qed.

Lemma sum_le {T : Type} (l : list T) g h : (forall x, In x l -> g x <= h x) -> sum l g <= sum l h.
Proof.
  induction l as [|x l IH]; intros A; cbn; [lra|]. pose proof (A x (or_introl eq_refl)).
  assert (sum l g <= sum l h) by (apply IH; intros y I; apply A; now right). lra.
Qed.

Lemma sum_scaled {T : Type} (l : list T) c g : sum l (fun x => c * g x) == c * sum l g.
Proof. induction l as [|x l IH]; cbn; [ring|]. rewrite IH. ring. Qed.

Lemma sum_plus {T : Type} (l : list T) g h : sum l (fun x => g x + h x) == sum l g + sum l h.
Proof. induction l as [|x l IH]; cbn; [ring|]. rewrite IH. ring. Qed.

Lemma sum_map {T U : Type} (k : T -> U) (l : list T) g : sum (map k l) g == sum l (fun x => g (k x)).
Proof. induction l as [|x l IH]; cbn; [easy|]. now rewrite IH. Qed.

Lemma sum_app {T : Type} (l k : list T) g : sum (l ++ k) g == sum l g + sum k g.
Proof. induction l as [|x l IH]; cbn; [ring|]. rewrite IH. ring. Qed.

Lemma sum_flat {T U : Type} (k : T -> list U) (l : list T) g :
  sum (flat_map k l) g == sum l (fun x => sum (k x) g).
Proof. induction l as [|x l IH]; cbn; [easy|]. now rewrite sum_app, IH. Qed.

Notation number n := (inject_Z (Z.of_nat n)).

Lemma number_S n : number (S n) == number n + 1.
Proof. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. easy. Qed.

Lemma sum_constant {T : Type} (l : list T) c : sum l (fun _ => c) == number (length l) * c.
Proof. induction l as [|x l IH]; [cbn; ring|]. cbn [sum length]. rewrite IH, number_S. ring. Qed.

(** * Sums over the draws *)

Definition over (m : nat) (D : data) (f : data -> Q) : Q := sum (draws m D) f.

Lemma over_S m D f :
  over (S m) D f == sum (picks D) (fun p => over m (snd p) (fun T => f (fst p :: T))).
Proof. unfold over. cbn [draws]. rewrite sum_flat. apply sum_ext. intros p _. apply sum_map. Qed.

Lemma over_le m D f g : (forall T, length T = m -> f T <= g T) -> over m D f <= over m D g.
Proof.
  revert D f g. induction m as [|m IH]; intros D f g A.
  - unfold over. cbn. pose proof (A [] eq_refl). lra.
  - rewrite !over_S. apply sum_le. intros p _. apply IH. intros T L. apply A. cbn. now rewrite L.
Qed.

Lemma over_scaled m D c f : over m D (fun T => c * f T) == c * over m D f.
Proof. apply sum_scaled. Qed.

Lemma picks_length D x R : In (x, R) (picks D) -> length D = S (length R).
Proof.
  revert x R. induction D as [|y D IH]; intros x R I; [easy|]. destruct I as [P|I]; [now inversion P|].
  apply in_map_iff in I as ([z Q] & P & I). inversion P; subst. cbn. now rewrite (IH _ _ I).
Qed.

(** Two draws leave the same examples in either order. *)
Lemma twice D (F : Example -> Example -> data -> Q) :
  sum (picks D) (fun p => sum (picks (snd p)) (fun q => F (fst p) (fst q) (snd q))) ==
  sum (picks D) (fun p => sum (picks (snd p)) (fun q => F (fst q) (fst p) (snd q))).
Proof.
  revert F. induction D as [|z D IH]; intros F; [easy|]. cbn [picks sum fst snd].
  assert (U : forall G : Example -> Example -> data -> Q,
    sum (map (fun p => (fst p, z :: snd p)) (picks D)) (fun p => sum (picks (snd p)) (fun q => G (fst p) (fst q) (snd q))) ==
    sum (picks D) (fun p => G (fst p) z (snd p)) +
    sum (picks D) (fun p => sum (picks (snd p)) (fun q => G (fst p) (fst q) (z :: snd q)))).
  { intros G. rewrite sum_map, <- sum_plus. apply sum_ext. intros p _. cbn. now rewrite sum_map. }
  rewrite (U F), (U (fun x y => F y x)), (IH (fun x y R => F x y (z :: R))). ring.
Qed.

(** What is drawn does not use one example more: as many ways as examples are left. *)
Lemma one_more m D f : sum (picks D) (fun p => over m (snd p) f) == (number (length D) - number m) * over m D f.
Proof.
  revert D f. induction m as [|m IH]; intros D f.
  - assert (L : length (picks D) = length D).
    { induction D as [|x D IH]; cbn; [easy|]. rewrite map_length. now f_equal. }
    unfold over. cbn [draws sum]. rewrite (sum_constant (picks D) (f [] + 0)), L. change (number 0) with 0. ring.
  - rewrite (sum_ext _ _ (fun p => sum (picks (snd p)) (fun q => over m (snd q) (fun T => f (fst q :: T))))).
    2: { intros p _. apply over_S. }
    rewrite (twice D (fun x y R => over m R (fun T => f (y :: T)))).
    rewrite over_S, <- sum_scaled. apply sum_ext. intros [x R] I. cbn [fst snd].
    rewrite IH, (picks_length _ _ _ I), !number_S. ring.
Qed.

Lemma picks_app A B (g : Example -> data -> Q) : sum (picks (A ++ B)) (fun p => g (fst p) (snd p)) ==
  sum (picks A) (fun p => g (fst p) (snd p ++ B)) + sum (picks B) (fun p => g (fst p) (A ++ snd p)).
Proof.
  revert g. induction A as [|a A IH]; intros g; cbn [picks app sum fst snd]; [ring|].
  rewrite !sum_map. cbn [fst snd]. rewrite (IH (fun x R => g x (a :: R))). cbn [app]. ring.
Qed.

(** Places do not matter. *)
Lemma over_middle m A e B f : over m (A ++ e :: B) f == over m (e :: A ++ B) f.
Proof.
  revert A B f. induction m as [|m IH]; intros A B f; [easy|].
  rewrite !over_S. set (g := fun x R => over m R (fun T => f (x :: T))).
  change (sum (picks (A ++ e :: B)) (fun p => g (fst p) (snd p)) ==
          sum (picks ([e] ++ A ++ B)) (fun p => g (fst p) (snd p))).
  rewrite (picks_app A (e :: B) g), (picks_app [e] (A ++ B) g). cbn [picks sum map app fst snd].
  rewrite (picks_app A B (fun x R => g x (e :: R))), sum_map. cbn [fst snd].
  rewrite (sum_ext (picks A) _ (fun p => g (fst p) (e :: snd p ++ B))), (sum_ext (picks B) (fun p => g (fst p) (A ++ e :: snd p)) (fun p => g (fst p) (e :: A ++ snd p))).
  - ring.
  - intros p _. unfold g. apply IH.
  - intros p _. unfold g. apply IH.
Qed.

(** * The draws that have a given example *)

Fixpoint with_it (e : Example) (m : nat) (D : data) (f : data -> Q) : Q :=
  match m with
  | O => 0
  | S m => over m D (fun T => f (e :: T)) +
           sum (picks D) (fun p => with_it e m (snd p) (fun T => f (fst p :: T)))
  end.

Lemma over_cons e m D f : over m (e :: D) f == with_it e m D f + over m D f.
Proof.
  revert D f. induction m as [|m IH]; intros D f; [cbn; ring|].
  rewrite !over_S. cbn [picks sum with_it fst snd]. rewrite sum_map. cbn [fst snd].
  rewrite (sum_ext _ (fun p => over m (e :: snd p) _)
             (fun p => with_it e m (snd p) (fun T => f (fst p :: T)) + over m (snd p) (fun T => f (fst p :: T)))).
  2: { intros p _. apply IH. }
  rewrite sum_plus. ring.
Qed.

(** One example replaced multiplies f by at most t. *)
Definition steady (t : Q) (m : nat) (f : data -> Q) := forall A e e' B,
  length (A ++ e :: B) = m -> f (A ++ e :: B) <= t * f (A ++ e' :: B).

Lemma steady_cons t m f x : steady t (S m) f -> steady t m (fun T => f (x :: T)).
Proof. intros P A e e' B L. apply (P (x :: A)). cbn. now rewrite L. Qed.

(** The example in the draw is replaced. *)
Lemma replaced t e e' m D f : steady t m f -> with_it e m D f <= t * with_it e' m D f.
Proof.
  revert D f. induction m as [|m IH]; intros D f P; cbn [with_it]; [lra|].
  assert (over m D (fun T => f (e :: T)) <= t * over m D (fun T => f (e' :: T))).
  { rewrite <- over_scaled. apply over_le. intros T L. apply (P []). cbn. now rewrite L. }
  assert (sum (picks D) (fun p => with_it e m (snd p) (fun T => f (fst p :: T))) <=
          t * sum (picks D) (fun p => with_it e' m (snd p) (fun T => f (fst p :: T)))).
  { rewrite <- sum_scaled. apply sum_le. intros p _. apply IH. now apply steady_cons. }
  lra.
Qed.

(** It is replaced by each of the examples that are left. *)
Lemma replaced_by_the_rest t e m D f : steady t m f ->
  (number (length D) + 1 - number m) * with_it e m D f <= t * number m * over m D f.
Proof.
  revert D f. induction m as [|m IH]; intros D f P; [cbn [with_it]; change (number 0) with 0; lra|].
  cbn [with_it]. rewrite !number_S.
  assert (U : (number (length D) - number m) * over m D (fun T => f (e :: T)) <= t * over (S m) D f).
  { rewrite <- one_more, over_S, <- sum_scaled. apply sum_le. intros p _. rewrite <- over_scaled.
    apply over_le. intros T L. apply (P []). cbn. now rewrite L. }
  assert (V : (number (length D) - number m) * sum (picks D) (fun p => with_it e m (snd p) (fun T => f (fst p :: T)))
              <= t * number m * over (S m) D f).
  { rewrite over_S, <- !sum_scaled. apply sum_le. intros [x R] I. cbn [fst snd].
    rewrite (picks_length _ _ _ I), number_S. specialize (IH R _ (steady_cons _ _ _ x P)). lra. }
  lra.
Qed.

Lemma summed t e e' m D f : 1 <= t -> (m <= S (length D))%nat -> steady t m f ->
  number (S (length D)) * over m (e :: D) f <=
  (number (S (length D)) + number m * (t - 1)) * over m (e' :: D) f.
Proof.
  intros T L P. rewrite !over_cons. pose proof (replaced t e e' m D f P) as U.
  pose proof (replaced_by_the_rest t e m D f P) as V.
  assert (N : number m <= number (S (length D))) by (rewrite <- Zle_Qle; lia).
  assert (Z : 0 <= number m) by (change 0 with (number 0); rewrite <- Zle_Qle; lia).
  rewrite number_S in *. revert U V N Z.
  generalize (with_it e m D f) (with_it e' m D f) (over m D f) (number (length D)) (number m). intros W W' R n k U V N Z.
  assert (C : forall a x y, 0 <= a -> x <= y -> a * x <= a * y) by (intros; nra).
  assert (A := C (n + 1 + k * (t - 1)) _ _ ltac:(nra) U). assert (B := C (t - 1) _ _ ltac:(lra) V). clear C.
  assert (C : (n + 1) * W <= (n + 1 + k * (t - 1)) * W' + (t - 1) * k * R).
  { apply (Qmult_lt_0_le_reg_r _ _ t); lra. }
  lra.
Qed.

(** * The theorem *)

Lemma draws_length m D D' : length D = length D' -> length (draws m D) = length (draws m D').
Proof.
  revert D D'. induction m as [|m IH]; intros D D' L; [easy|]. cbn [draws].
  assert (F : forall l l' : list (Example * data), Forall2 (fun p q => length (snd p) = length (snd q)) l l' ->
    length (flat_map (fun p => map (cons (fst p)) (draws m (snd p))) l) =
    length (flat_map (fun p => map (cons (fst p)) (draws m (snd p))) l')).
  { induction 1 as [|p q l l' E _ J]; cbn; [easy|]. now rewrite !app_length, !map_length, J, (IH _ _ E). }
  apply F. clear F. revert D' L. induction D as [|x D J]; intros [|y D'] L; try easy; [constructor|]. injection L as L. cbn.
  constructor; [easy|]. specialize (J D' L). induction J as [|p q l l' E _ K]; cbn; constructor; cbn; [now rewrite E | easy].
Qed.

Lemma probability_sampled G M m D :
  probability G (sampled M m D) == fraction 1 (length (draws m D)) * over m D (fun T => probability G (M T)).
Proof.
  unfold sampled, over. rewrite probability_after. generalize (fraction 1 (length (draws m D))). intros c.
  induction (draws m D) as [|T l IH]; cbn; [ring|]. rewrite IH. ring.
Qed.

Lemma fraction_1 n : 0 <= fraction 1 n.
Proof.
  unfold fraction, Qdiv. rewrite Qmult_1_l. apply Qinv_le_0_compat. change 0 with (number 0). rewrite <- Zle_Qle. lia.
Qed.

Theorem sampling t M m A e e' B : 1 <= t -> (m <= length (A ++ e :: B))%nat -> private t M m ->
  indistinguishable (1 + fraction m (length (A ++ e :: B)) * (t - 1)) 0
    (sampled M m (A ++ e :: B)) (sampled M m (A ++ e' :: B)).
Proof.
  intros T L P G. rewrite !probability_sampled.
  rewrite (draws_length m (A ++ e' :: B) (A ++ e :: B)) by now rewrite !app_length.
  pose proof (fraction_1 (length (draws m (A ++ e :: B)))) as C. revert C.
  generalize (fraction 1 (length (draws m (A ++ e :: B)))). intros c C.
  assert (N : length (A ++ e :: B) = S (length (A ++ B))) by (rewrite !app_length; cbn; lia). rewrite N in *.
  assert (P' : steady t m (fun T => probability G (M T))).
  { intros F x x' K E. destruct (P F x x' K E G) as [H _]. lra. }
  rewrite !over_middle. pose proof (summed t e e' m (A ++ B) _ T L P') as U. pose proof (summed t e' e m (A ++ B) _ T L P') as V.
  assert (Z : 0 < number (S (length (A ++ B)))) by (change 0 with (number 0); rewrite <- Zlt_Qlt; lia).
  unfold fraction. revert U V Z. generalize (over m (e :: A ++ B) (fun T => probability G (M T))).
  generalize (over m (e' :: A ++ B) (fun T => probability G (M T))) (number (S (length (A ++ B)))) (number m).
  intros W' n k W U V Z.
  assert (R : forall X Y, n * X <= (n + k * (t - 1)) * Y -> c * X <= (1 + k / n * (t - 1)) * (c * Y) + 0).
  { intros X Y I. assert (J : X <= (1 + k / n * (t - 1)) * Y).
    { apply (Qmult_lt_0_le_reg_r _ _ n Z).
      setoid_replace ((1 + k / n * (t - 1)) * Y * n) with ((n + k * (t - 1)) * Y) by (field; lra). lra. }
    nra. }
  split; now apply R.
Qed.

End Sampling.
