(** Observation 11 of Bun, Livni and Moran: tournament examples are mistakes, and the predictor fits T. *)
From Coq Require Import List NArith Arith Bool Lia.
From PacStability Require Import Ldim Tournaments Lemma12 Repaired.
Import ListNotations.
Local Open Scope nat_scope.

Section Observation.
Variables (points : list N) (H : class) (draws : list N) (c : N) (n d : nat) (tie : bool).
Variable pick : nat -> sample * predictor -> sample * predictor -> N.
Hypothesis I : instance points H draws c d pick.

Notation rule := (rule points d tie).
Notation update := (update points d tie).
Notation SOA := (SOA points H d tie).
Notation plays := (plays points H draws c n d tie).
Notation D := (D points H draws c n d tie pick).

(** How many examples of a sample the SOA predicts wrongly, when it sees those before. *)
Fixpoint mistakes (seen rest : sample) : nat :=
  match rest with
  | [] => 0
  | e :: rest => (if eqb (label (SOA seen) (fst e)) (snd e) then 0 else 1) + mistakes (seen ++ [e]) rest
  end.

Lemma mistakes_app seen S T : mistakes seen (S ++ T) = mistakes seen S + mistakes (seen ++ S) T.
Proof.
  revert seen. induction S as [|e S IH]; intros seen; cbn; [now rewrite app_nil_r|].
  rewrite IH, <- app_assoc. cbn. lia.
Qed.

Lemma at_least_k k S : In S (D k) -> k <= mistakes [] S.
Proof.
  revert S. induction k as [|k IH]; intros S J; [lia|].
  cbn in J. apply in_flat_map in J as (a & Ja & J). apply in_flat_map in J as (b & Jb & J).
  assert (P : forall p, In p (plays (D k)) -> k <= mistakes [] (fst p) /\ snd p = SOA (fst p)).
  { intros p Jp. eapply in_plays in Jp as (S' & T & JS & _ & E & F). split; [|easy].
    rewrite E, mistakes_app. specialize (IH _ JS). lia. }
  unfold tournament in J. destruct (N.eqb_spec (snd a) (snd b)) as [|ne]; [easy|].
  apply in_map_iff in J as (y & <- & _). pose proof (told_apart _ _ _ _ _ _ I k a b ne) as A.
  destruct (P a Ja) as [Ma Ea], (P b Jb) as [Mb Eb]. rewrite mistakes_app. cbn [mistakes fst snd app].
  destruct (eqb (label (snd a) (pick k a b)) y) eqn:E.
  - apply eqb_prop in E. rewrite <- Eb. destruct (eqb (label (snd b) (pick k a b)) y) eqn:E'; [|lia].
    apply eqb_prop in E'. congruence.
  - rewrite <- Ea, E. lia.
Qed.

(** ** Consistency with T *)

Definition fits_T (s : state) (T : sample) := match s with
  | Live V => V <> [] /\ forall h, In h V -> (forall e, In e T -> label h (fst e) = snd e) /\ In h H
  | Patched f => forall e, In e T -> label f (fst e) = snd e
  end.

Lemma fits_rule s T : fits_T s T -> (forall e, In e T -> In (fst e) points) ->
  forall e, In e T -> label (rule s) (fst e) = snd e.
Proof.
  destruct s as [V|f]; [|easy]. intros [ne F] A [x y] J. cbn [fst snd].
  rewrite label_rule. destruct (in_dec N.eq_dec x points) as [here|no]; [|now specialize (A _ J)].
  assert (all : forall h, In h V -> label h x = y) by (intros h K; apply (proj1 (F h K) (x, y) J)).
  assert (empty : side V x (negb y) = []).
  { destruct (side V x (negb y)) as [|h l] eqn:E; [easy|]. exfalso.
    assert (K : In h (side V x (negb y))) by (rewrite E; now left). apply in_side in K as [K L].
    rewrite (all h K) in L. now destruct y. }
  assert (full : 0 < rank points d (side V x y)).
  { apply rank_spec; [|lia|].
    - intros h z K. apply in_side in K as [K _]. apply (inside _ _ _ _ _ _ I), (F h K).
    - apply ge_0. destruct V as [|h V]; [easy|]. intros Z.
      assert (K : In h (side (h :: V) x y)) by (apply in_side; split; [now left | apply all; now left]).
      now rewrite Z in K. }
  assert (none : rank points d (side V x (negb y)) = 0) by (rewrite empty; now destruct d).
  unfold predict. destruct y; cbn [negb] in none; rewrite none; destruct (rank _ _ (side V x _)); easy.
Qed.

Lemma fits_update s T x : In x points -> fits_T s T -> (forall e, In e T -> In (fst e) points /\ snd e = label c (fst e)) ->
  fits_T (update s (x, label c x)) (T ++ [(x, label c x)]).
Proof.
  intros here F A.
  assert (P : forall f, (forall e, In e T -> label f (fst e) = snd e) ->
    forall e, In e (T ++ [(x, label c x)]) -> label (patch f (x, label c x)) (fst e) = snd e).
  { intros f B e J. rewrite label_patch. cbn [fst snd].
    apply in_app_or in J as [J|[<-|[]]]; [|now rewrite N.eqb_refl].
    destruct (N.eqb_spec (fst e) x) as [E|]; [|now apply B]. rewrite (proj2 (A e J)). now rewrite E. }
  destruct s as [V|f]; [|exact (P f F)].
  assert (R := fits_rule (Live V) T F (fun e J => proj1 (A e J))). destruct F as [ne F]. cbn [update fst snd].
  destruct (side V x (label c x)) as [|g l] eqn:E; [exact (P _ R)|]. split; [easy|]. rewrite <- E.
  intros h K. apply in_side in K as [K L]. destruct (F h K) as [B M]. split; [|easy].
  intros e J. apply in_app_or in J as [J|[<-|[]]]; [now apply B | easy].
Qed.

Lemma fits_nothing S : fits_T (fold_left update S (Live H)) [].
Proof.
  assert (G : forall s, fits_T s [] -> fits_T (fold_left update S s) []).
  { induction S as [|e S IH]; intros s F; [easy|]. cbn. apply IH. destruct s as [V|f]; [|easy].
    cbn [update]. destruct (side V (fst e) (snd e)) as [|g l] eqn:E; [easy|]. split; [easy|]. rewrite <- E.
    intros h K. apply in_side in K as [K _]. destruct F as [_ F]. split; [easy|]. now apply (F h K). }
  apply G. split.
  - intros Z. pose proof (realizable _ _ _ _ _ _ I) as J. now rewrite Z in J.
  - intros h K. now split.
Qed.

Lemma fits_all s T : fits_T s [] -> (forall e, In e T -> In (fst e) points /\ snd e = label c (fst e)) ->
  fits_T (fold_left update T s) T.
Proof.
  intros F A. change T with ([] ++ T) at 2. revert F. revert A. change T with ([] ++ T) at 1.
  generalize (@nil (N * bool)) as seen. revert s. induction T as [|[x y] T IH]; intros s seen A F.
  - now rewrite app_nil_r.
  - assert (E : In x points /\ y = label c x) by (apply (A (x, y)), in_or_app; right; now left).
    destruct E as [here ->]. cbn [fold_left].
    replace (seen ++ (x, label c x) :: T) with ((seen ++ [(x, label c x)]) ++ T) in * by now rewrite <- app_assoc.
    apply IH; [easy|]. apply fits_update; [easy | easy|].
    intros e J. apply A. now do 2 (apply in_or_app; left).
Qed.

Lemma in_D_n k T e : In T (D_n draws c k) -> In e T -> In (fst e) points /\ snd e = label c (fst e).
Proof.
  revert T. induction k as [|k IH]; intros T J K; [now destruct J as [<-|[]]|].
  cbn in J. apply in_flat_map in J as (x & X & J). apply in_map_iff in J as (T' & <- & J).
  destruct K as [<-|K]; [|now apply (IH T')]. split; [|easy]. now apply (drawn _ _ _ _ _ _ I).
Qed.

Lemma fits k S T : In T (D_n draws c k) -> forall e, In e T -> label (SOA (S ++ T)) (fst e) = snd e.
Proof.
  intros J. unfold Tournaments.SOA. rewrite fold_left_app. apply fits_rule.
  - apply fits_all; [apply fits_nothing|]. intros e. now apply (in_D_n k).
  - intros e K. now apply (in_D_n k T e).
Qed.
End Observation.

(** For S of D_k and T of D^n: at least k mistakes on S, and SOA(S o T) is consistent with T. *)
Theorem Observation_11 points H draws c n d tie pick k S T :
  instance points H draws c d pick ->
  In S (D points H draws c n d tie pick k) -> In T (D_n draws c n) ->
  k <= mistakes points H d tie [] S /\
  forall e, In e T -> label (SOA points H d tie (S ++ T)) (fst e) = snd e.
Proof. intros I J K. split; [now apply (at_least_k points H draws c n d tie pick I) | now apply (fits _ _ draws c _ _ pick I n)]. Qed.
