(* The class H of 4 hypotheses on 3 points has VC dimension 1 or more.
   The definitions say what that means. Rocq (Coq) checks the proof: coqc prints 'Closed under the
   global context', that is, no axioms. pac-stability recheck asks it about the statement itself. *)
From PacStability Require Import Ldim Witness.
From Coq Require Import String List NArith QArith.
Import ListNotations.
Definition H : class := (rows [
"111";
"011";
"001";
"000"])%string.
Definition shattered : list N := ([0x1])%N.
Theorem at_least_so_much : VC_ge H 1.
Proof. apply (by_points H 1 shattered).
vm_cast_no_check (eq_refl true). Qed.
Print Assumptions at_least_so_much.
