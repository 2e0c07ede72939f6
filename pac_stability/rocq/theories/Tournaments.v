(** Bun, Livni and Moran (FOCS 2020): the SOA with Definition 8, the distributions D_k, Lemma 12.

    Labels are [true] (+1) and [false] (-1). A hypothesis is a number, bit x its label at the point x.
    Every law is uniform on a finite list, with repetitions; so a probability is a quotient of lengths. *)
From Coq Require Import List NArith Arith Bool QArith Qpower.
From PacStability Require Import Ldim.
Import ListNotations.
Local Open Scope nat_scope.

Notation example := (N * bool)%type (only parsing).
Notation sample := (list example) (only parsing).
Notation predictor := N (only parsing).   (* like a hypothesis, and perhaps not of the class *)

Section Paper.

Variable points : list N.             (* X *)
Variable H : class.
Variable draws : list N.              (* D: these points, equally likely (some perhaps repeated), ... *)
Variable target : N.                  (* ... labelled by this hypothesis, c *)
Variables n d : nat.                  (* sample size, Ldim(H) *)
Variable tie : bool.                  (* the prediction where both sides have the same dimension *)
Variable pick : nat -> sample * predictor -> sample * predictor -> N.   (* where two are told apart *)

(** ** The Standard Optimal Algorithm, with Definition 8 *)

(** 1 + Ldim, and 0 for the empty class, by the usual recursion (proved right in [rank_spec]). *)
Fixpoint rank (depth : nat) (V : class) : nat :=
  match V with
  | [] => 0
  | _ => match depth with
         | 0 => 1
         | S k => fold_right Nat.max 1
                    (map (fun x => let a := rank k (side V x false) in
                                   match a with 0 => 0 | _ => S (Nat.min a (rank k (side V x true))) end) points)
         end
  end.

Definition predict (V : class) (x : N) : bool :=       (* argmax_b Ldim(V^b(x)) *)
  let a := rank d (side V x false) in
  let b := rank d (side V x true) in
  if a =? b then tie else a <? b.

Definition patch (f : predictor) (e : example) : predictor :=
  if snd e then N.setbit f (fst e) else N.clearbit f (fst e).

(** State: the version space, or, once nothing is consistent, a predictor that is patched. *)
Inductive state := Live (V : class) | Patched (f : predictor).

Definition rule (s : state) : predictor :=
  match s with
  | Live V => fold_right (fun x f => patch f (x, predict V x)) 0%N points
  | Patched f => f
  end.

Definition update (s : state) (e : example) : state :=
  match s with
  | Live V => match side V (fst e) (snd e) with [] => Patched (patch (rule s) e) | V' => Live V' end
  | Patched f => Patched (patch f e)
  end.

Definition SOA (S : sample) : predictor := rule (fold_left update S (Live H)).

(** ** The distributions D_k *)

(** D^n, as the list of all equally likely samples. *)
Fixpoint D_n (n : nat) : list sample :=
  match n with
  | 0 => [[]]
  | S n => flat_map (fun x => map (cons (x, label target x)) (D_n n)) draws
  end.

(** S o T with its predictor, for S of a list and T ~ D^n. *)
Definition plays (l : list sample) : list (sample * predictor) :=
  flat_map (fun S => map (fun T => (S ++ T, SOA (S ++ T))) (D_n n)) l.

(** One tournament (Item 3, (i)-(v)) between two samples with their predictors; the coin y is fair, and
    who is wrong about (x, y) is kept.  "Go back to step (i)" is: contributes nothing. *)
Definition tournament (k : nat) (a b : sample * predictor) : list sample :=
  if N.eqb (snd a) (snd b) then [] else
  let x := pick k a b in
  map (fun y => (if eqb (label (snd a) x) y then fst b else fst a) ++ [(x, y)]) [false; true].

Fixpoint D (k : nat) : list sample :=
  match k with
  | 0 => [[]]
  | S k => let P := plays (D k) in flat_map (fun a => flat_map (tournament k a) P) P
  end.

(** Pr_{S ~ D_k, T ~ D^n} [SOA(S o T) = f] *)
Definition outputs (k : nat) : list predictor := map snd (plays (D k)).
Definition share (f : predictor) (l : list predictor) : Q :=
  inject_Z (Z.of_nat (length (filter (N.eqb f) l))) / inject_Z (Z.of_nat (length l)).
Definition Pr (k : nat) (f : predictor) : Q := share f (outputs k).

Definition frequent (p : Q) : Prop := exists k f, k <= d /\ (p <= Pr k f)%Q.
Definition Lemma_12 : Prop := frequent ((1 # 2) ^ Z.of_nat d).
End Paper.

(** ** What an instance is *)

(** The points are distinct, no hypothesis has a label 1 beyond them, c is of the class, D is a law on the
    points, and x is picked where the two predictors differ, whatever else it depends on. *)
Record instance (points : list N) (H : class) (draws : list N) (target : N) (d : nat)
  (pick : nat -> sample * predictor -> sample * predictor -> N) : Prop := {
  distinct : NoDup points;
  inside : forall h x, In h H -> label h x = true -> In x points;
  dimension : Littlestone H d;
  realizable : In target H;
  drawn : draws <> [] /\ forall x, In x draws -> In x points;
  told_apart : forall k a b, snd a <> snd b -> label (snd a) (pick k a b) <> label (snd b) (pick k a b)
}.

(** The first point where two predictors differ (and beyond the points, where none does, any place). *)
Definition lowest (points : list N) (_ : nat) (a b : sample * predictor) : N :=
  hd (N.log2 (N.lxor (snd a) (snd b)))
    (filter (fun x => xorb (label (snd a) x) (label (snd b) x)) points).
