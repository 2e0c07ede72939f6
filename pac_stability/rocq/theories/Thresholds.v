(** Thresholds on a finite order: Lemma 23 and Theorem 24 of CLNRW16. *)
From Coq Require Import List ZArith Arith Bool QArith Lqa Lia.
From PacStability Require Import Losses.
Import ListNotations.
Local Open Scope nat_scope.

(** * Definitions *)

(** The points are 0, 1, ..., m - 1.  The threshold c is 1 on the points below c: there are m + 1. *)
Definition threshold (c : nat) : nat -> bool := fun x => x <? c.
Definition on (m : nat) (D : distribution nat) := forall w e, In (w, e) D -> (fst e < m)%nat.
Definition labelled_by (c : nat) (D : distribution nat) := forall w e, In (w, e) D -> snd e = threshold c (fst e).
Fixpoint mass (D : distribution nat) : Q := match D with [] => 0 | (w, _) :: D => w + mass D end%Q.

(** * Lemma 23: where one threshold is missing, some distribution is far from all the others *)

Theorem Lemma_23 m outputs c : (0 < m)%nat -> (c <= m)%nat ->
  (forall b, In b outputs -> (b <= m)%nat) -> ~ In c outputs -> exists D,
  on m D /\ weighted nat D /\ (mass D == 1)%Q /\ labelled_by c D /\
  forall b, In b outputs -> (1 # 2 <= loss nat D (threshold b))%Q.
Proof.
  intros M C within missing. pose (at_ := fun x => ((1 # 2)%Q, (x, threshold c x)) : Q * (nat * bool)).
  (* The last point labelled 1 and the first labelled 0; where there is none, the other one twice. *)
  pose (left := if c =? 0 then 0 else c - 1). pose (right := if c =? m then c - 1 else c).
  exists [at_ left; at_ right].
  assert (L : left < m) by (unfold left; destruct (Nat.eqb_spec c 0); lia).
  assert (R : right < m) by (unfold right; destruct (Nat.eqb_spec c m); lia).
  split; [|split; [|split; [|split]]].
  - intros w e [E|[E|[]]]; inversion E; subst; cbn; lia.
  - intros w e [E|[E|[]]]; inversion E; subst; cbn; lra.
  - cbn. lra.
  - intros w e [E|[E|[]]]; inversion E; subst; easy.
  - intros b I. assert (B : b <= m) by now apply within. assert (ne : b <> c) by congruence. cbn [loss at_]. unfold errs. cbn [fst snd].
    assert (A : xorb (threshold b left) (threshold c left) = true \/
                xorb (threshold b right) (threshold c right) = true).
    { unfold threshold, left, right. destruct (lt_eq_lt_dec b c) as [[W|E]|W]; [left | easy | right].
      - destruct (Nat.eqb_spec c 0); [lia|]. destruct (Nat.ltb_spec (c - 1) b), (Nat.ltb_spec (c - 1) c); cbn; lia || easy.
      - destruct (Nat.eqb_spec c m); [lia|]. destruct (Nat.ltb_spec c b), (Nat.ltb_spec c c); cbn; lia || easy. }
    destruct (xorb (threshold b left) _), (xorb (threshold b right) _); try lra; destruct A; easy.
Qed.

(** * Theorem 24: one example is enough for the fewest errors *)

(** What is rebuilt from the example that is kept: a cut just above a positive, just below a negative. *)
Definition rebuilt (e : nat * bool) : nat -> bool := threshold (if snd e then 1 + fst e else fst e).

Lemma fewer (S : list (nat * bool)) f g :
  (forall e, In e S -> errs nat f e = true -> errs nat g e = true) -> mistakes nat S f <= mistakes nat S g.
Proof.
  unfold mistakes. induction S as [|e S IH]; intros A; [easy|]. cbn [filter].
  assert (I : length (filter (errs nat f) S) <= length (filter (errs nat g) S)).
  { apply IH. intros a J. apply A. now right. }
  pose proof (A e (or_introl eq_refl)) as E.
  destruct (errs nat f e), (errs nat g e); cbn [length]; lia.
Qed.

Lemma err_cases c x (y : bool) :
  errs nat (threshold c) (x, y) = true <-> if y then c <= x else x < c.
Proof.
  unfold errs, threshold. cbn [fst snd]. destruct (Nat.ltb_spec x c), y; cbn; intuition (lia || easy).
Qed.

Lemma smallest_point (S : list (nat * bool)) : S <> [] ->
  exists v y, In (v, y) S /\ forall x z, In (x, z) S -> v <= x.
Proof.
  induction S as [|[x y] S IH]; [easy|]. intros _. destruct S as [|e S].
  - exists x, y. split; [now left|]. intros a z [E|[]]. now inversion E.
  - destruct IH as (v & z & I & L); [easy|]. destruct (le_lt_dec x v) as [W|W].
    + exists x, y. split; [now left|]. intros a u [E|J]; [now inversion E|]. apply L in J. lia.
    + exists v, z. split; [now right|]. intros a u [E|J]; [inversion E; lia|]. now apply L in J.
Qed.

Lemma example_dec (a b : nat * bool) : {a = b} + {a <> b}.
Proof. repeat decide equality. Qed.

Lemma an_example_as_good (S : list (nat * bool)) c : S <> [] ->
  exists e, In e S /\ mistakes nat S (rebuilt e) <= mistakes nat S (threshold c).
Proof.
  intros ne. induction c as [|c IH].
  - destruct (smallest_point S ne) as (v & y & I & L).
    destruct (in_dec example_dec (v, false) S) as [J|J].
    + exists (v, false). split; [easy|]. apply fewer. intros [x z] K. unfold rebuilt. cbn [fst snd].
      rewrite !err_cases. apply L in K. destruct z; lia.
    + assert (I' : In (v, true) S) by now destruct y.
      exists (v, true). split; [easy|]. apply fewer. intros [x z] K. unfold rebuilt. cbn [fst snd].
      rewrite !err_cases. destruct z; [lia|]. pose proof (L _ _ K). assert (x = v \/ v < x) as [->|W] by lia; [easy | lia].
  - destruct (in_dec example_dec (c, true) S) as [J|J].
    + now exists (c, true).
    + destruct IH as (e & I & E). exists e. split; [easy|]. eapply Nat.le_trans; [exact E|].
      apply fewer. intros [x z] K. rewrite !err_cases. destruct z; [|lia].
      intros W. assert (x = c \/ c < x) as [->|V] by lia; [easy | exact V].
Qed.

Lemma best_of (T : Type) (f : T -> nat) (S : list T) : S <> [] ->
  exists e, In e S /\ forall a, In a S -> f e <= f a.
Proof.
  induction S as [|x S IH]; [easy|]. intros _. destruct S as [|y S].
  - exists x. split; [now left|]. now intros a [<-|[]].
  - destruct IH as (e & I & L); [easy|]. destruct (le_lt_dec (f x) (f e)) as [W|W].
    + exists x. split; [now left|]. intros a [<-|J]; [easy|]. apply L in J. lia.
    + exists e. split; [now right|]. intros a [<-|J]; [lia|]. now apply L.
Qed.

Theorem Theorem_24 (S : list (nat * bool)) : S <> [] ->
  exists e, In e S /\ forall c, mistakes nat S (rebuilt e) <= mistakes nat S (threshold c).
Proof.
  intros ne. destruct (best_of _ (fun e => mistakes nat S (rebuilt e)) S ne) as (e & I & L).
  exists e. split; [easy|]. intros c. destruct (an_example_as_good S c ne) as (a & J & A).
  apply L in J. lia.
Qed.
