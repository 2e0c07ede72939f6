(** Lemma 12 fails as printed: five points, six hypotheses, ties to -1. *)
From Coq Require Import String List NArith QArith Lia.
From PacStability Require Import Ldim Tournaments Lemma12.
Import ListNotations.

Definition H : class := (rows ["10001"; "01101"; "00110"; "10010"; "11111"; "10111"])%string.
Definition c : N := row "11111".

Theorem H_dimension : Littlestone H 2.
Proof. apply (by_search 5 _ _ (Node 0 (Node 1 Leaf Leaf) (Node 2 Leaf Leaf))%N); vm_compute; reflexivity. Qed.

Theorem H_instance : instance five H five c 2 (lowest five).
Proof. apply instance_of_five; [now vm_compute | exact H_dimension | vm_compute; tauto]. Qed.

Definition laws (k : nat) : list predictor := outputs five H five c 1 2 false (lowest five) k.

Lemma counted : forallb (fun e => is_highest (snd e) (laws (fst e)))
  [(0%nat, 1 # 5); (1%nat, 6 # 25); (2%nat, 64 # 305)] = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The highest frequencies of an output, of D_0, D_1 and D_2. *)
Theorem highest_frequencies : highest (laws 0) (1 # 5) /\ highest (laws 1) (6 # 25) /\ highest (laws 2) (64 # 305).
Proof.
  pose proof counted as A. rewrite forallb_forall in A. split; [|split]; apply is_highest_sound;
    [apply (A (0%nat, 1 # 5)) | apply (A (1%nat, 6 # 25)) | apply (A (2%nat, 64 # 305))]; simpl; tauto.
Qed.

Theorem Lemma_12_fails : ~ Lemma_12 five H five c 1 2 false (lowest five).
Proof.
  intros (k & f & le & L). destruct highest_frequencies as (A & B & C).
  apply (Qle_not_lt _ _ L). apply (too_rare laws (1 # 5) (6 # 25) (64 # 305)); easy.
Qed.

Corollary not_Lemma_12 : ~ (forall points H draws target n d tie pick,
  instance points H draws target d pick -> Lemma_12 points H draws target n d tie pick).
Proof. intros claim. apply Lemma_12_fails, claim, H_instance. Qed.
