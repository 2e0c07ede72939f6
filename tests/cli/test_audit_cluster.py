"""``audit --scheduler``: the answer of one process, and a checkpoint that either goes on with."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pac_stability.audit.search.parallel import GivenExecutor
from pac_stability.cli.app import main
from pac_stability.cli.loading import Exit
from shared_subjects import Cluster, drawing_cluster

LEARNER = '''
"""A vote that is sure of itself, in three tenths of a millisecond."""

from fractions import Fraction


class Vote:
    """Follows the majority, but for a share."""

    symmetric = True

    def probabilities(self, sample, points, /):
        """The probability of label 1."""
        ones = sum(sample.labels)
        busy = sum(i * i for i in range(6000))
        return [Fraction(1 + ones + (busy < 0), 2 + len(sample)) for _ in points]
'''


@pytest.mark.filterwarnings("ignore")  # those of the cluster's own libraries
def test_a_cluster_says_the_same_and_keeps_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    distributed = pytest.importorskip(
        "distributed", reason="the extra distributed is not installed"
    )
    monkeypatch.setattr(sys, "path", list(sys.path))
    learner = tmp_path / "sure_vote.py"
    learner.write_text(LEARNER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ask = ["audit", "sure_vote.py::Vote", "--notion", "private-prediction"]
    ask += ["--domain", "2", "--n", "3", "--claim", "1", "--json"]
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)

    def answered(*more: str) -> object:
        assert main([*ask, *more]) == Exit.OK
        return _timeless(json.loads(capsys.readouterr().out))

    travelled = []
    done = GivenExecutor.done

    def noted(self: GivenExecutor, work: Any, pieces: Any) -> Any:
        travelled.append(work)
        return done(self, work, pieces)

    monkeypatch.setattr(GivenExecutor, "done", noted)
    alone = answered("--processes", "1")
    assert not travelled
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        there = ("--scheduler", cluster.scheduler_address)
        assert answered(*there) == alone
        assert travelled
        stopped = main([*ask, *there, "--checkpoint", "kept", "--time-limit", "1e-9"])
        assert stopped == Exit.INCONCLUSIVE
        assert (tmp_path / "kept").exists()
        capsys.readouterr()
        # What the cluster kept, one process goes on from.
        assert answered("--processes", "1", "--checkpoint", "kept") == alone
    assert not (tmp_path / "kept").exists()
    del sys.modules["sure_vote"]


def _timeless(document: dict[str, object]) -> dict[str, object]:
    """Leave out how long it took, and how many answers were kept."""
    names = ("verdict", "value", "witness", "claim", "subject")
    assert document["verdict"] == "verified"
    return {name: document[name] for name in names if name in document}


class Client:
    """What stands for a client of ``distributed``, with a cluster in this process."""

    def __init__(self, address: str) -> None:
        if address != "tcp://here:8786":
            raise OSError("nobody answers")
        self._cluster = drawing_cluster()
        self.given: list[str] = []

    def __enter__(self) -> Client:
        self._executor = self._cluster.__enter__()
        CLIENTS.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._cluster.__exit__(None, None, None)

    def upload_file(self, file: str) -> None:
        self.given.append(file)

    def get_executor(self) -> Cluster:
        return self._executor


CLIENTS: list[Client] = []


@pytest.mark.usefixtures("clean_imports")
def test_work_goes_where_the_scheduler_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    (tmp_path / "plain_vote.py").write_text(LEARNER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ask = ["audit", "plain_vote.py::Vote", "--notion", "private-prediction", "--json"]
    ask += ["--domain", "1", "--n", "3", "--claim", "1"]
    reports = []
    for more in (["--processes", "1"], ["--scheduler", "tcp://here:8786"]):
        assert main([*ask, *more]) == Exit.OK
        reports.append(_timeless(json.loads(capsys.readouterr().out)))
    assert reports[0] == reports[1]
    assert CLIENTS[-1].given == ["plain_vote.py"]
    assert CLIENTS[-1].get_executor().pieces
    ask[1] = "plain_vote:Vote"  # a module that is there already
    assert main([*ask, "--scheduler", "tcp://here:8786"]) == Exit.OK
    assert CLIENTS[-1].given == []
    capsys.readouterr()
    assert main([*ask, "--scheduler", "tcp://there:8786"]) == Exit.BAD_INPUT
    assert "nobody answers" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*ask, "--scheduler", "tcp://here:8786"]) == Exit.BAD_INPUT
    assert "pac_stability[distributed]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "told"), [(("--scheduler", "x", "--processes", "2"), "one of them")]
)
def test_one_way_to_share_the_work(
    more: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learner = tmp_path / "other_vote.py"
    learner.write_text(LEARNER, encoding="utf-8")
    asked = ["audit", f"{learner}::Vote", "--notion", "private-prediction", "--domain", "2"]
    assert main([*asked, "--n", "2", *more]) == Exit.BAD_INPUT
    assert told in capsys.readouterr().err
