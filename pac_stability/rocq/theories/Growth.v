(** Patterns of a class on points: representatives, the growth function, and the lemma of Sauer and Shelah. *)
From Coq Require Import List NArith Arith Bool Lia.
From PacStability Require Import Ldim.
Import ListNotations.

(** * Definitions *)

Definition pattern (A : list N) (h : N) : list bool := map (label h) A.
Definition patterns (H : class) (A : list N) : list (list bool) :=
  nodup (list_eq_dec bool_dec) (map (pattern A) H).
Definition count (H : class) (A : list N) : nat := length (patterns H A).

(** Some of the points of a domain, none of them twice. *)
Definition among (X A : list N) := NoDup A /\ incl A X.

(** The growth function, "the maximum over all sets of at most n points". *)
Definition growth (H : class) (X : list N) (n t : nat) :=
  (exists A, among X A /\ length A <= n /\ count H A = t) /\
  forall A, among X A -> length A <= n -> count H A <= t.

(** Hypotheses that agree on the points of T, and one representative for each pattern. *)
Definition agree (T : list N) (h g : N) := forall x, In x T -> label h x = label g x.

(** All patterns on A. *)
Definition shatters_points (H : class) (A : list N) :=
  forall p, length p = length A -> In p (patterns H A).
Definition VC_at_most (H : class) (X : list N) (d : nat) :=
  forall A, among X A -> shatters_points H A -> length A <= d.

Fixpoint binomial (n k : nat) : nat :=
  match n, k with
  | _, 0 => 1
  | 0, S _ => 0
  | S n, S k => binomial n k + binomial n (S k)
  end.
Fixpoint binomials (n d : nat) : nat :=
  match d with 0 => binomial n 0 | S d => binomials n d + binomial n (S d) end.

(** * Agreement *)

Lemma pattern_agree T h g : pattern T h = pattern T g <-> agree T h g.
Proof.
  unfold pattern, agree. induction T as [|x T IH]; cbn [map]; [easy|]. split.
  - intros E. inversion E. intros y [<-|I]; [easy|]. now apply IH.
  - intros A. f_equal; [apply A; now left|]. apply IH. intros y I. apply A. now right.
Qed.

Lemma in_patterns H A p : In p (patterns H A) <-> exists h, In h H /\ pattern A h = p.
Proof. unfold patterns. rewrite nodup_In, in_map_iff. firstorder. Qed.

(** The first hypothesis of each pattern. *)
Definition same (T : list N) (h g : N) : bool := forallb (fun x => eqb (label h x) (label g x)) T.
Fixpoint representatives (T : list N) (H : class) : class :=
  match H with
  | [] => []
  | h :: H => h :: filter (fun g => negb (same T h g)) (representatives T H)
  end.

Lemma same_agree T h g : same T h g = true <-> agree T h g.
Proof.
  unfold same, agree. rewrite forallb_forall. split; intros A x I; specialize (A x I);
    [now apply eqb_true_iff | now apply eqb_true_iff in A || now rewrite A, eqb_reflx].
Qed.

Lemma representatives_in T H g : In g (representatives T H) -> In g H.
Proof.
  induction H as [|h H IH]; [easy|]. cbn. intros [->|I]; [now left|]. apply filter_In in I as [I _].
  right. now apply IH.
Qed.

Lemma representatives_apart T H g g' : In g (representatives T H) -> In g' (representatives T H) ->
  agree T g g' -> g = g'.
Proof.
  induction H as [|h H IH]; [easy|]. cbn. intros [->|I] [->|I'] A; [easy | | |].
  - apply filter_In in I' as [_ F]. apply same_agree in A. now rewrite A in F.
  - apply filter_In in I as [_ F]. assert (B : same T g' g = true).
    { apply same_agree. intros x J. symmetry. now apply A. }
    now rewrite B in F.
  - apply filter_In in I as [I _], I' as [I' _]. now apply IH.
Qed.

Lemma representatives_reach T H h : In h H -> exists g, In g (representatives T H) /\ agree T h g.
Proof.
  induction H as [|k H IH]; [easy|]. cbn. intros [->|I].
  - exists h. split; [now left | easy].
  - destruct (IH I) as (g & J & A). destruct (same T k g) eqn:E.
    + exists k. split; [now left|]. apply same_agree in E. intros x K. rewrite A by easy. symmetry. now apply E.
    + exists g. split; [|easy]. right. apply filter_In. now rewrite E.
Qed.

(** Exactly one representative of each class of agreement. *)
Theorem one_representative T H h : In h H ->
  exists! g, In g (representatives T H) /\ agree T h g.
Proof.
  intros I. destruct (representatives_reach T H h I) as (g & J & A). exists g. split; [easy|].
  intros k [K B]. apply (representatives_apart T H); [easy | easy|]. intros x L. rewrite <- A by easy. now apply B.
Qed.

(** They depend on the set of points only. *)
Theorem representatives_of_set T U H : (forall x, In x T <-> In x U) -> representatives T H = representatives U H.
Proof.
  intros E. assert (S : forall h g, same T h g = same U h g).
  { intros h g. apply eq_true_iff_eq. rewrite !same_agree. unfold agree. firstorder. }
  induction H as [|h H IH]; [easy|]. cbn. rewrite IH. f_equal. apply filter_ext. intros g. now rewrite S.
Qed.

(** * More points, more patterns *)

Lemma representatives_patterns H A : NoDup (map (pattern A) (representatives A H)).
Proof.
  induction H as [|h H IH]; cbn; constructor.
  - rewrite in_map_iff. intros (g & E & I). apply filter_In in I as [_ F].
    symmetry in E. apply pattern_agree, same_agree in E. now rewrite E in F.
  - clear -IH. induction (representatives A H) as [|g l IHl]; cbn in *; [constructor|].
    inversion IH as [|? ? out rest]; subst. destruct (same A h g); cbn; [now apply IHl|]. constructor; [|now apply IHl].
    intros I. apply out. apply in_map_iff in I as (k & E & K). apply filter_In in K as [K _].
    rewrite <- E. now apply in_map.
Qed.

Lemma count_representatives H A : count H A = length (representatives A H).
Proof.
  pose proof (representatives_patterns H A) as N.
  rewrite <- (map_length (pattern A)). unfold count. apply Nat.le_antisymm; apply NoDup_incl_length; try easy.
  - apply NoDup_nodup.
  - intros p I. apply in_patterns in I as (h & I & <-).
    destruct (representatives_reach A H h I) as (g & J & E). apply pattern_agree in E. rewrite E. now apply in_map.
  - intros p I. apply in_map_iff in I as (g & <- & J). apply in_patterns. exists g. split; [|easy].
    now apply representatives_in in J.
Qed.

Lemma count_more H A B : incl A B -> count H A <= count H B.
Proof.
  intros I. rewrite (count_representatives H A). unfold count.
  rewrite <- (map_length (pattern B)). apply NoDup_incl_length.
  - assert (D : forall g g', In g (representatives A H) -> In g' (representatives A H) ->
                pattern B g = pattern B g' -> pattern A g = pattern A g').
    { intros g g' _ _ E. apply pattern_agree. apply pattern_agree in E. intros x J. apply E. now apply I. }
    pose proof (representatives_patterns H A) as N.
    clear -D N. induction (representatives A H) as [|g l IH]; cbn in *; [constructor|]. inversion N as [|? ? out rest]; subst.
    constructor.
    + rewrite in_map_iff. intros (k & E & K). apply out. rewrite <- (D k g); [now apply in_map | now right | now left | easy].
    + apply IH; [|easy]. intros k k' K K'. apply D; now right.
  - intros p J. apply in_map_iff in J as (g & <- & J). apply in_patterns. exists g. split; [|easy].
    now apply representatives_in in J.
Qed.

Lemma more_points X A n : NoDup X -> among X A -> length A <= n -> n <= length X ->
  exists B, among X B /\ length B = n /\ incl A B.
Proof.
  intros NX [NA IA] L M. remember (n - length A) as k eqn:K. revert A NA IA L K. induction k as [|k IH]; intros A NA IA L K.
  - exists A. repeat split; try easy. lia.
  - assert (exists x, In x X /\ ~ In x A) as (x & I & O).
    { destruct (Forall_Exists_dec (fun x => In x A) (fun x => in_dec N.eq_dec x A) X) as [F|E].
      - exfalso. rewrite Forall_forall in F. assert (length X <= length A) by now apply NoDup_incl_length. lia.
      - apply Exists_exists in E as (x & I & O). now exists x. }
    assert (NA' : NoDup (x :: A)) by now constructor.
    assert (IA' : incl (x :: A) X) by (intros y [<-|J]; [easy | now apply IA]).
    destruct (IH (x :: A) NA' IA') as (B & P & E & W); [cbn; lia | cbn; lia |].
    exists B. split; [exact P|]. split; [exact E|]. intros y J. apply W. now right.
Qed.

(** Where there are sets of n points, these are enough. *)
Theorem growth_by_n_points H X n t : NoDup X -> n <= length X ->
  growth H X n t <->
  (exists A, among X A /\ length A = n /\ count H A = t) /\
  (forall A, among X A -> length A = n -> count H A <= t).
Proof.
  intros N M. split; intros [(A & I & L & C) U].
  - destruct (more_points X A n) as (B & J & E & W); try easy. split.
    + exists B. split; [exact J|]. split; [exact E|]. apply Nat.le_antisymm; [apply U; [easy | lia]|].
      rewrite <- C. now apply count_more.
    + intros D K E'. apply U; [easy | lia].
  - split; [exists A; split; [exact I | split; [lia | exact C]]|]. intros D K L'.
    destruct (more_points X D n) as (B & J & E & W); try easy.
    eapply Nat.le_trans; [apply count_more, W | now apply U].
Qed.

(** * The lemma of Sauer and Shelah *)

(** All the subsets of a list of points, and those that are shattered. *)
Fixpoint subsets (A : list N) : list (list N) :=
  match A with [] => [[]] | x :: A => subsets A ++ map (cons x) (subsets A) end.
Fixpoint all_patterns (H : class) (B : list N) : bool :=
  match B with
  | [] => match H with [] => false | _ => true end
  | x :: B => all_patterns (side H x false) B && all_patterns (side H x true) B
  end.

Lemma all_patterns_shatters H B : all_patterns H B = true -> shatters_points H B.
Proof.
  revert H. induction B as [|x B IH]; intros H E p L.
  - destruct p; [|easy]. destruct H as [|h H]; [easy|]. apply in_patterns. exists h. split; [now left | easy].
  - destruct p as [|b p]; [easy|]. cbn in E. apply andb_true_iff in E as [E0 E1].
    assert (I : In p (patterns (side H x b) B)).
    { destruct b; [apply (IH _ E1) | apply (IH _ E0)]; now injection L. }
    apply in_patterns in I as (h & I & P). apply in_side in I as [I F]. apply in_patterns.
    exists h. split; [easy|]. unfold pattern in *. cbn. now rewrite F, P.
Qed.

Lemma all_patterns_sub H K B : incl H K -> all_patterns H B = true -> all_patterns K B = true.
Proof.
  revert H K. induction B as [|x B IH]; intros H K I; cbn.
  - destruct H as [|h H]; [easy|]. destruct K; [exfalso; now apply (I h); left | easy].
  - rewrite !andb_true_iff. intros [E F]. split; [apply (IH (side H x false)) | apply (IH (side H x true))]; try easy; intros h J;
      apply in_side in J as [J L]; apply in_side; (split; [now apply I | easy]).
Qed.

Definition shattered_subsets (H : class) (A : list N) : nat := length (filter (all_patterns H) (subsets A)).

Lemma count_split H x A : count H (x :: A) <= count (side H x false) A + count (side H x true) A.
Proof.
  unfold count.
  rewrite <- (map_length (cons false) (patterns (side H x false) A)), <- (map_length (cons true) (patterns (side H x true) A)), <- app_length.
  apply NoDup_incl_length; [apply NoDup_nodup|]. intros p I. apply in_patterns in I as (h & I & <-).
  apply in_or_app. unfold pattern. cbn. destruct (label h x) eqn:E; [right | left]; apply in_map, in_patterns;
    exists h; (split; [now apply in_side | easy]).
Qed.

Lemma shattered_split H x A :
  shattered_subsets (side H x false) A + shattered_subsets (side H x true) A <= shattered_subsets H (x :: A).
Proof.
  unfold shattered_subsets. cbn [subsets]. rewrite filter_app, app_length.
  assert (S : forall b B, all_patterns (side H x b) B = true -> all_patterns H B = true).
  { intros b B. apply all_patterns_sub. intros h I. now apply in_side in I. }
  induction (subsets A) as [|B l IH]; [easy|]. cbn [map filter]. cbn [all_patterns] in *.
  pose proof (S false B) as F. pose proof (S true B) as T.
  destruct (all_patterns (side H x false) B), (all_patterns (side H x true) B), (all_patterns H B);
    cbn [andb length] in *; try lia; try now specialize (F eq_refl); now specialize (T eq_refl).
Qed.

(** A class has at most as many patterns as it shatters subsets. *)
Lemma count_shattered H A : count H A <= shattered_subsets H A.
Proof.
  revert H. induction A as [|x A IH]; intros H.
  - unfold shattered_subsets. destruct H as [|h H]; [easy|]. cbn [subsets filter all_patterns length].
    assert (I : incl (patterns (h :: H) []) [[]]).
    { intros p J. apply in_patterns in J as (g & _ & <-). now left. }
    apply NoDup_incl_length in I; [easy | apply NoDup_nodup].
  - pose proof (count_split H x A). pose proof (shattered_split H x A).
    pose proof (IH (side H x false)). pose proof (IH (side H x true)). lia.
Qed.

Definition small (d : nat) (B : list N) : bool := length B <=? d.

Lemma small_subsets A d : length (filter (small d) (subsets A)) = binomials (length A) d.
Proof.
  revert d. induction A as [|x A IH]; intros d.
  - cbn [subsets length]. unfold small. cbn. induction d as [|d IHd]; cbn [binomials]; [easy | now rewrite <- IHd].
  - cbn [subsets length]. rewrite filter_app, app_length, IH.
    assert (M : forall l, length (filter (small d) (map (cons x) l)) =
                match d with 0 => 0 | S k => length (filter (small k) l) end).
    { induction l as [|B l IHl]; [now destruct d|]. cbn [map filter]. unfold small at 1. cbn [length].
      destruct d as [|k]; cbn [Nat.leb]; [exact IHl|]. change (length B <=? k) with (small k B).
      destruct (small k B); cbn [length]; now rewrite IHl. }
    rewrite M. destruct d as [|d]; [cbn; destruct (length A); easy|]. rewrite IH. clear. induction d as [|d IHd]; cbn [binomials] in *.
    + destruct (length A); cbn; lia.
    + cbn [binomial]. cbn [binomial] in IHd. lia.
Qed.

Lemma subsets_among X A B : among X A -> In B (subsets A) -> among X B.
Proof.
  intros [N I]. assert (S : NoDup A -> In B (subsets A) -> NoDup B /\ incl B A).
  { clear. revert B. induction A as [|x A IH]; intros B N J.
    - destruct J as [<-|[]]. split; [constructor | easy].
    - inversion N; subst. cbn in J. apply in_app_or in J as [J|J].
      + destruct (IH B) as [U V]; try easy. split; [easy|]. intros y K. right. now apply V.
      + apply in_map_iff in J as (C & <- & J). destruct (IH C) as [U V]; try easy. split.
        * constructor; [|easy]. intros K. now apply V in K.
        * intros y [<-|K]; [now left | right; now apply V]. }
  intros J. destruct (S N J) as [U V]. split; [easy|]. intros y K. now apply I, V.
Qed.

Lemma filter_fewer (T : Type) (f g : T -> bool) l :
  (forall x, In x l -> f x = true -> g x = true) -> length (filter f l) <= length (filter g l).
Proof.
  induction l as [|x l IH]; intros A; [easy|]. cbn.
  assert (length (filter f l) <= length (filter g l)) by (apply IH; intros y I; apply A; now right).
  pose proof (A x (or_introl eq_refl)). destruct (f x), (g x); cbn; lia.
Qed.

Theorem Sauer_Shelah H X A d : VC_at_most H X d -> among X A -> count H A <= binomials (length A) d.
Proof.
  intros V I. eapply Nat.le_trans; [apply count_shattered|]. rewrite <- small_subsets.
  apply filter_fewer. intros B J E. unfold small. apply Nat.leb_le, V.
  - now apply (subsets_among X A).
  - now apply all_patterns_shatters.
Qed.
