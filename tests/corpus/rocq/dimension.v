(* The class H of 4 hypotheses on 3 points has Littlestone dimension 2.
   The definitions say what that means. Rocq (Coq) checks the proof: coqc prints 'Closed under the
   global context', that is, no axioms. pac-stability recheck asks it about the statement itself. *)
From PacStability Require Import Ldim.
From Coq Require Import String List NArith QArith.
Import ListNotations.
Definition H : class := (rows [
"111";
"011";
"001";
"000"])%string.
Definition shattered_tree : tree := (Node 1 (Node 2 Leaf Leaf) (Node 0 Leaf Leaf))%N.
Definition upper_bound : refutation := (Sides [])%N.
Theorem dimension : Littlestone H 2.
Proof. apply (by_certificate 3 H 2 shattered_tree upper_bound).
vm_cast_no_check (eq_refl true). Qed.
Print Assumptions dimension.
