(* The laws P and P' on 2 outcomes are not indistinguishable with the factor
25071724604899628341/9223372036854775808 and delta 0.
   The definitions say what that means. Rocq (Coq) checks the proof: coqc prints 'Closed under the
   global context', that is, no axioms. pac-stability recheck asks it about the statement itself. *)
From PacStability Require Import Private.
From Coq Require Import String List NArith QArith.
Import ListNotations.
(* private prediction; the outcomes are, in this order:
  0
  1 *)
Definition P : law := ([1 # 1; 0 # 1])%Q.
Definition P' : law := ([0 # 1; 1 # 1])%Q.
Definition told_apart : event := [true; false].
Theorem not_private : is_law P /\ is_law P' /\ ~ indistinguishable (25071724604899628341 # 9223372036854775808) (0 # 1) P P'.
Proof. apply (by_event told_apart (25071724604899628341 # 9223372036854775808) (0 # 1) P P').
vm_cast_no_check (eq_refl true). Qed.
Print Assumptions not_private.
