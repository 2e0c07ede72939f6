"""Claims settled on a cluster have the evidence that they have at home."""

import pytest

from pac_stability import claims


@pytest.mark.filterwarnings("ignore")  # those of the cluster's own libraries
def test_a_cluster_finds_the_same() -> None:
    distributed = pytest.importorskip(
        "distributed", reason="the extra distributed is not installed"
    )
    chosen = claims.select(["DF20:appendix-a.*", "BLM20:lemma-12"])
    here = {evidence.claim.key: evidence for evidence in claims.verify(chosen)}
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        there = claims.verify(chosen, executor=client.get_executor())
        assert {evidence.claim.key: evidence for evidence in there} == here
