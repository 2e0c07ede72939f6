(** How a counterexample to Lemma 12 is decided: all outputs of all samples are counted. *)
From Coq Require Import List NArith ZArith Arith Bool QArith Qpower Lia Lqa.
From PacStability Require Import Ldim Tournaments.
Import ListNotations.
Local Open Scope nat_scope.

(** [q] is the highest share of an output in the list, and it is attained. *)
Definition highest (l : list predictor) (q : Q) := (forall f, share f l <= q)%Q /\ exists f, (share f l == q)%Q.

(** * Counting *)

Fixpoint bump (f : predictor) (t : list (predictor * N)) : list (predictor * N) :=
  match t with
  | [] => [(f, 1%N)]
  | (g, m) :: t => if N.eqb f g then (g, N.succ m) :: t else (g, m) :: bump f t
  end.
Definition table (l : list predictor) := fold_left (fun t f => bump f t) l [].
Fixpoint entry (f : predictor) (t : list (predictor * N)) : N :=
  match t with [] => 0%N | (g, m) :: t => if N.eqb f g then m else entry f t end.
Fixpoint sum (t : list (predictor * N)) : N :=
  match t with [] => 0%N | (_, m) :: t => (m + sum t)%N end.

Lemma entry_bump f g t : entry f (bump g t) = if N.eqb f g then N.succ (entry f t) else entry f t.
Proof.
  induction t as [|[h m] t IH]; simpl; [now destruct (N.eqb f g)|].
  destruct (N.eqb_spec g h) as [->|ne]; simpl; [now destruct (N.eqb f h)|].
  rewrite IH. destruct (N.eqb_spec f h) as [->|]; [|easy].
  destruct (N.eqb_spec h g) as [->|]; easy.
Qed.

Lemma sum_bump f t : sum (bump f t) = N.succ (sum t).
Proof.
  induction t as [|[h m] t IH]; simpl; [easy|]. destruct (N.eqb f h); simpl; lia.
Qed.

Lemma table_from l t : forall f,
  entry f (fold_left (fun t f => bump f t) l t) = (entry f t + N.of_nat (length (filter (N.eqb f) l)))%N.
Proof.
  revert t. induction l as [|g l IH]; intros t f; simpl; [lia|].
  rewrite IH, entry_bump. destruct (N.eqb f g); simpl; lia.
Qed.

Lemma sum_from l t : sum (fold_left (fun t f => bump f t) l t) = (sum t + N.of_nat (length l))%N.
Proof. revert t. induction l as [|g l IH]; intros t; simpl; [lia|]. rewrite IH, sum_bump. lia. Qed.

Lemma count_table f l : entry f (table l) = N.of_nat (length (filter (N.eqb f) l)).
Proof. unfold table. now rewrite table_from. Qed.

(** * The decision *)

Fixpoint largest (t : list (predictor * N)) : N :=
  match t with [] => 0%N | (_, m) :: t => N.max m (largest t) end.
Definition is_highest (q : Q) (l : list predictor) : bool :=
  let t := table l in
  let total := sum t in
  ((0 <? total) && (largest t * Npos (Qden q) =? Z.to_N (Qnum q) * total))%N && (0 <=? Qnum q)%Z
  && forallb (fun e => entry (fst e) t =? snd e)%N t.

Lemma entry_largest f t : (entry f t <= largest t)%N.
Proof. induction t as [|[g m] t IH]; simpl; [lia|]. destruct (N.eqb f g); lia. Qed.

Lemma attained t : t <> [] -> exists e, In e t /\ snd e = largest t.
Proof.
  induction t as [|[g m] t IH]; intros ne; [easy|]. destruct t as [|e t].
  - exists (g, m). split; [now left | cbn [largest snd]; lia].
  - destruct IH as (a & I & A); [easy|].
    change (largest ((g, m) :: e :: t)) with (N.max m (largest (e :: t))).
    destruct (N.le_ge_cases (largest (e :: t)) m).
    + exists (g, m). split; [now left | cbn [snd]; lia].
    + exists a. split; [now right | rewrite A; lia].
Qed.

Lemma positive (l : list predictor) : (0 < N.of_nat (length l))%N -> (0 < inject_Z (Z.of_nat (length l)))%Q.
Proof. intros P. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. lia. Qed.

Lemma share_le (f : predictor) (l : list predictor) a b : (0 < N.of_nat (length l))%N ->
  (N.of_nat (length (filter (N.eqb f) l)) * Npos b <= a * N.of_nat (length l))%N -> (share f l <= Z.of_N a # b)%Q.
Proof.
  intros P L. apply positive in P. unfold share. apply Qle_shift_div_r; [easy|].
  apply N2Z.inj_le in L. rewrite !N2Z.inj_mul, !nat_N_Z in L.
  unfold Qle, Qmult, inject_Z. cbn [Qnum Qden]. rewrite Pos.mul_1_r, Z.mul_1_r. exact L.
Qed.

Lemma share_eq (f : predictor) (l : list predictor) a b : (0 < N.of_nat (length l))%N ->
  (N.of_nat (length (filter (N.eqb f) l)) * Npos b = a * N.of_nat (length l))%N -> (share f l == Z.of_N a # b)%Q.
Proof.
  intros P E. apply Qle_antisym; [apply share_le; [easy | now rewrite E]|].
  apply positive in P. unfold share. apply Qle_shift_div_l; [easy|].
  apply (f_equal Z.of_N) in E. rewrite !N2Z.inj_mul, !nat_N_Z in E.
  unfold Qle, Qmult, inject_Z. cbn [Qnum Qden]. rewrite Pos.mul_1_r, Z.mul_1_r.
  change (Zpos b) with (Z.of_N (Npos b)). rewrite E. apply Z.le_refl.
Qed.

Theorem is_highest_sound q l : is_highest q l = true -> highest l q.
Proof.
  unfold is_highest. rewrite !andb_true_iff, N.ltb_lt, N.eqb_eq, Z.leb_le, forallb_forall.
  intros [[[P E] S] A].
  assert (T : sum (table l) = N.of_nat (length l)) by (unfold table; now rewrite sum_from).
  rewrite T in P, E. destruct q as [a b]. cbn [Qnum Qden] in *.
  assert (Ea : (a = Z.of_N (Z.to_N a))%Z) by now rewrite Z2N.id. rewrite Ea.
  split.
  - intros f. apply share_le; [easy|]. rewrite <- E, <- count_table.
    apply N.mul_le_mono_r, entry_largest.
  - destruct (attained (table l)) as ([f m] & I & M).
    { intros Z. rewrite Z in T. cbn in T. lia. }
    exists f. apply share_eq; [easy|]. rewrite <- E, <- M, <- count_table. cbn [snd].
    specialize (A _ I). apply N.eqb_eq in A. cbn [fst snd] in A. now rewrite A.
Qed.

(** * The recursion of the SOA is the dimension *)

Lemma fold_max l b k : k < fold_right Nat.max b l <-> k < b \/ exists r, In r l /\ k < r.
Proof.
  induction l as [|a l IH]; simpl; [split; [tauto | intros [L|(r & [] & _)]; easy]|].
  rewrite Nat.max_lt_iff, IH. split.
  - intros [L|[L|(r & I & L)]]; eauto 6.
  - intros [L|(r & [->|I] & L)]; eauto 6.
Qed.

(** [rank] is 1 + Ldim, up to the depth: so [predict] is the argmax of the paper. *)
Theorem rank_spec points depth V k :
  (forall h x, In h V -> label h x = true -> In x points) -> k <= depth ->
  (k < rank points depth V <-> Ldim_ge V k).
Proof.
  revert V k. induction depth as [|depth IH]; intros V k inside le.
  - assert (k = 0) as -> by lia. rewrite ge_0. destruct V; simpl; split; intros; easy || lia.
  - destruct V as [|h V]; [simpl; split; [lia | intros G; apply (ge_le _ k 0), ge_0 in G; [easy | lia]]|].
    cbn [rank]. rewrite fold_max. destruct k as [|k]; [rewrite ge_0; split; [easy | lia]|].
    rewrite ge_S. assert (sub : forall x b g, In g (side (h :: V) x b) -> In g (h :: V)).
    { intros x b g I. now rewrite in_side in I. }
    assert (P : forall x b, k < rank points depth (side (h :: V) x b) <-> Ldim_ge (side (h :: V) x b) k).
    { intros x b. apply IH; [|lia]. intros g y I. apply inside. eapply sub, I. }
    split.
    + intros [L|(r & I & L)]; [lia|]. rewrite in_map_iff in I. destruct I as (x & <- & I).
      exists x. rewrite <- !P. cbv zeta in L. destruct (rank _ _ (side _ x false)) eqn:E; lia.
    + intros (x & G0 & G1). right. rewrite <- P in G0, G1.
      eexists. split; [apply in_map_iff; exists x; split; [reflexivity|]|].
      * assert (G : Ldim_ge (side (h :: V) x true) 0) by (apply (ge_le _ k); [lia | now apply P]).
        rewrite ge_0 in G. destruct (side (h :: V) x true) as [|g K] eqn:E; [easy|].
        assert (I : In g (side (h :: V) x true)) by (rewrite E; now left).
        rewrite in_side in I. now apply (inside g).
      * cbv zeta. destruct (rank _ _ (side _ x false)); lia.
Qed.

(** * The instances: five points, all equally likely, and n = 1 *)

Definition five : list N := [0; 1; 2; 3; 4]%N.

Lemma lowest_tells points k a b : snd a <> snd b ->
  label (snd a) (lowest points k a b) <> label (snd b) (lowest points k a b).
Proof.
  intros ne. unfold lowest. destruct (filter _ points) as [|y l] eqn:E; cbn [hd].
  - assert (nz : N.lxor (snd a) (snd b) <> 0%N) by now rewrite N.lxor_eq_0_iff.
    apply N.bit_log2 in nz. rewrite N.lxor_spec in nz. now destruct (label (snd a) _), (label (snd b) _).
  - assert (K : In y (y :: l)) by now left. rewrite <- E in K. apply filter_In in K as [_ K].
    now destruct (label (snd a) y), (label (snd b) y).
Qed.

Lemma instance_of_five (H : class) (target : N) :
  fits 5 H = true -> Littlestone H 2 -> In target H -> instance five H five target 2 (lowest five).
Proof.
  intros F L I. constructor; try easy.
  - repeat constructor; simpl; intuition discriminate.
  - intros h x J B. unfold fits in F. rewrite forallb_forall in F. specialize (F h J). apply N.leb_le in F.
    destruct (N.lt_ge_cases x 5) as [S|S].
    + assert (x = 0 \/ x = 1 \/ x = 2 \/ x = 3 \/ x = 4)%N by lia. simpl. intuition.
    + exfalso. destruct (N.eq_dec h 0) as [->|nz]; [now rewrite N.bits_0 in B|].
      rewrite N.bits_above_log2 in B; [easy|]. rewrite N.size_log2 in F by easy. lia.
  - apply lowest_tells.
Qed.

(** No output of D_0, D_1, D_2 has the frequency 2^-2. *)
Lemma too_rare (l : nat -> list predictor) (a b c : Q) :
  (a < 1 # 4 -> b < 1 # 4 -> c < 1 # 4 ->
   highest (l 0%nat) a -> highest (l 1%nat) b -> highest (l 2%nat) c ->
   forall k f, (k <= 2)%nat -> share f (l k) < (1 # 2) ^ Z.of_nat 2)%Q.
Proof.
  intros A B C [Ha _] [Hb _] [Hc _] k f le. change ((1 # 2) ^ Z.of_nat 2)%Q with (1 # 4)%Q.
  assert (k = 0 \/ k = 1 \/ k = 2) as [->|[->| ->]] by lia;
    eapply Qle_lt_trans; [apply Ha | easy | apply Hb | easy | apply Hc | easy].
Qed.
