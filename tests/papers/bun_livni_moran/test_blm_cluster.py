"""Batches on a cluster give the answer that they give at home."""

from __future__ import annotations

import pytest

from pac_stability.classes import thresholds
from pac_stability.data import Example, FiniteDistribution
from pac_stability.papers.bun_livni_moran import (
    ByLevelPrivateLearner,
    GloballyStableLearner,
    RunTally,
    tally_on_target,
    train_by_level_on_target,
)
from pac_stability.papers.bun_livni_moran.streams import tally as run_tally


@pytest.mark.filterwarnings("ignore")  # those of the cluster's own libraries
def test_a_cluster_gives_the_same_for_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip(
        "distributed", reason="the extra distributed is not installed"
    )
    monkeypatch.setattr(run_tally, "RUNS_IN_A_BATCH", 64)
    H = thresholds(4)
    target = FiniteDistribution.uniform([Example(x, H(2, x)) for x in range(4)])
    G = GloballyStableLearner(H, "1/4", n=3, blocks=20)
    here = tally_on_target(G, target, 300, seed=7)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        there = client.get_executor()
        assert tally_on_target(G, target, 300, seed=7, executor=there) == here

        M = ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1, "1/1000000")
        seen: list[tuple[RunTally, ...]] = []
        whole = train_by_level_on_target(M, target, seed=7, checkpoint=seen.append)
        again: list[tuple[RunTally, ...]] = []
        run = train_by_level_on_target(
            M, target, seed=7, executor=there, resume=seen[7], checkpoint=again.append
        )
        assert run == whole
        assert again == seen[8:]
