(** Lower bounds on the VC and the threshold dimension of a finite class, by their definitions. *)
From Coq Require Import List NArith Arith Bool Lia.
From PacStability Require Import Ldim.
Import ListNotations.

(** * Definitions *)

(** Some [d] points have all 2^d labellings. *)
Definition VC_ge (H : class) (d : nat) := exists xs, length xs = d /\
  forall labels, length labels = d -> exists h, In h H /\ map (label h) xs = labels.

(** Hypotheses h_1..h_k and points x_1..x_k with h_i(x_j) = 1 exactly if i <= j. *)
Definition Threshold_ge (H : class) (k : nat) := exists hs xs, length hs = k /\ length xs = k /\
  (forall h, In h hs -> In h H) /\
  forall i j, i < k -> j < k -> label (nth i hs 0%N) (nth j xs 0%N) = (i <=? j).

(** * Checkers *)

Fixpoint labellings (d : nat) : list (list bool) :=
  match d with
  | 0 => [[]]
  | S d => map (cons false) (labellings d) ++ map (cons true) (labellings d)
  end.

Lemma in_labellings labels : In labels (labellings (length labels)).
Proof.
  induction labels as [|[] labels IH]; simpl; [now left| |]; apply in_or_app; [right | left];
    now apply in_map.
Qed.

Definition all_labellings (H : class) (xs : list N) : bool :=
  forallb (fun labels => existsb (fun h =>
    if list_eq_dec bool_dec (map (label h) xs) labels then true else false) H) (labellings (length xs)).

Theorem by_points (H : class) (d : nat) (xs : list N) :
  (length xs =? d) && all_labellings H xs = true -> VC_ge H d.
Proof.
  rewrite andb_true_iff, Nat.eqb_eq. intros [L A]. exists xs. split; [easy|]. intros labels E.
  unfold all_labellings in A. rewrite forallb_forall in A. specialize (A labels).
  rewrite existsb_exists in A. destruct A as (h & I & M).
  - rewrite L, <- E. apply in_labellings.
  - exists h. split; [easy|]. now destruct (list_eq_dec bool_dec (map (label h) xs) labels).
Qed.

Definition half_graph (H : class) (hs xs : list N) : bool :=
  forallb (fun h => existsb (N.eqb h) H) hs &&
  forallb (fun i => forallb (fun j => eqb (label (nth i hs 0%N) (nth j xs 0%N)) (i <=? j)) (seq 0 (length xs)))
    (seq 0 (length hs)).

Theorem by_half_graph (H : class) (k : nat) (hs xs : list N) :
  (length hs =? k) && (length xs =? k) && half_graph H hs xs = true -> Threshold_ge H k.
Proof.
  unfold half_graph. rewrite !andb_true_iff, !Nat.eqb_eq. intros [[Lh Lx] [I A]].
  exists hs, xs. repeat split; try easy.
  - intros h J. rewrite forallb_forall in I. specialize (I h J). rewrite existsb_exists in I.
    destruct I as (g & K & E). apply N.eqb_eq in E as ->. easy.
  - intros i j Li Lj. rewrite forallb_forall in A. assert (Ii : In i (seq 0 (length hs))) by (apply in_seq; lia).
    specialize (A i Ii). rewrite forallb_forall in A. assert (Ij : In j (seq 0 (length xs))) by (apply in_seq; lia).
    now apply eqb_prop, A.
Qed.
