(** Losses: Definition 7 and "realizable" of BLM20. *)
From Coq Require Import List NArith ZArith Bool QArith Lqa Lia.
Import ListNotations.
Local Open Scope Q_scope.

(** * Definitions *)

Section Examples.
Variable X : Type.
Definition hypothesis := X -> bool.
Definition example := (X * bool)%type.

(** A distribution is a list of examples with their weights; an example may occur more than once. *)
Definition distribution := list (Q * example).
Definition weighted (D : distribution) := (forall w e, In (w, e) D -> 0 <= w).

Definition errs (h : hypothesis) (e : example) : bool := xorb (h (fst e)) (snd e).
Fixpoint loss (D : distribution) (h : hypothesis) : Q :=
  match D with [] => 0 | (w, e) :: D => (if errs h e then w else 0) + loss D h end.

Definition mistakes (S : list example) (h : hypothesis) : nat := length (filter (errs h) S).
Definition fraction (a b : nat) : Q := inject_Z (Z.of_nat a) / inject_Z (Z.of_nat b).
Definition empirical_loss (S : list example) (h : hypothesis) : Q := fraction (mistakes S h) (length S).
Definition uniform (S : list example) : distribution := map (fun e => (fraction 1 (length S), e)) S.

Definition supports (D : distribution) (e : example) := exists w, In (w, e) D /\ 0 < w.
Definition realizable_by (H : list hypothesis) (D : distribution) := exists h, In h H /\ loss D h == 0.

(** * The loss on a sample is that under the uniform distribution over it *)

Lemma loss_equal_weights w S h :
  loss (map (fun e => (w, e)) S) h == inject_Z (Z.of_nat (mistakes S h)) * w.
Proof.
  unfold mistakes. induction S as [|e S IH]; cbn [map loss filter length]; [cbn; ring|].
  rewrite IH. destruct (errs h e); cbn [length]; [|ring].
  rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. ring.
Qed.

Theorem loss_of_a_sample S h : loss (uniform S) h == empirical_loss S h.
Proof. unfold uniform, empirical_loss, fraction. rewrite loss_equal_weights. unfold Qdiv. ring. Qed.

Lemma total_of_a_sample (S : list example) : S <> [] -> inject_Z (Z.of_nat (length S)) * fraction 1 (length S) == 1.
Proof.
  intros ne. unfold fraction. field. destruct S; [easy|]. cbn [length].
  intros E. unfold Qeq in E. cbn in E. lia.
Qed.

(** * What is realizable depends on the support only *)

Lemma loss_weighted D h : weighted D -> 0 <= loss D h.
Proof.
  induction D as [|[w e] D IH]; intros W; cbn [loss]; [lra|].
  assert (0 <= loss D h) by (apply IH; intros v f I; now apply (W v f); right).
  pose proof (W w e (or_introl eq_refl)). destruct (errs h e); lra.
Qed.

Theorem no_loss D h : weighted D -> loss D h == 0 <-> forall e, supports D e -> h (fst e) = snd e.
Proof.
  intros W. split.
  - intros Z e (w & I & P). apply xorb_eq. change (errs h e = false).
    induction D as [|[v f] D IH]; [easy|]. cbn [loss] in Z.
    assert (W' : weighted D) by (intros u g J; now apply (W u g); right).
    pose proof (loss_weighted D h W') as L. pose proof (W v f (or_introl eq_refl)) as V.
    destruct I as [E|I].
    + inversion E; subst. destruct (errs h e); [exfalso; lra | easy].
    + apply IH; [easy | | easy]. destruct (errs h f); lra.
  - intros A. induction D as [|[v f] D IH]; cbn [loss]; [easy|].
    assert (W' : weighted D) by (intros u g J; now apply (W u g); right).
    rewrite IH; [|easy|].
    + destruct (errs h f) eqn:E; [|lra]. pose proof (W v f (or_introl eq_refl)) as V.
      apply Qle_lteq in V as [V|V]; [|lra].
      assert (B : h (fst f) = snd f) by (apply A; exists v; split; [now left | easy]).
      unfold errs in E. rewrite B, xorb_nilpotent in E. easy.
    + intros e (w & I & P). apply A. exists w. split; [now right | easy].
Qed.

Theorem realizable_by_support H D D' : weighted D -> weighted D' ->
  (forall e, supports D e <-> supports D' e) -> realizable_by H D <-> realizable_by H D'.
Proof.
  intros W W' E. split; intros (h & I & Z); exists h; (split; [easy|]); rewrite no_loss in * by easy;
    intros e S; apply Z; now apply E.
Qed.
End Examples.
