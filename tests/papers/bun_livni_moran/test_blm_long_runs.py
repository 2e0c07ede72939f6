"""M by level and the agnostic learner, stopped and gone on with: the same, bit for bit."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pac_stability.classes import singletons, thresholds
from pac_stability.data import Example, FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran import (
    AgnosticPrivateLearner,
    ByLevelPrivateLearner,
    RunTally,
    TallyFile,
    train_agnostic_on_target,
    train_by_level_on_target,
)
from pac_stability.papers.bun_livni_moran.streams import tally as run_tally

H = thresholds(4)
M = ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1, "1/1000000")
TARGET: FiniteDistribution[Example[Hashable]] = FiniteDistribution.uniform(
    [Example(x, H(2, x)) for x in H.domain]
)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tally, "RUNS_IN_A_BATCH", 100)
    monkeypatch.setattr(run_tally, "_SHARES", 2)  # so that several batches go out together


def interrupting(after: int, then: Callable[[tuple[RunTally, ...]], None]) -> Callable[..., None]:
    """A checkpoint that is interrupted when it was called so often."""
    calls = 0

    def checkpoint(tallies: tuple[RunTally, ...]) -> None:
        nonlocal calls
        calls += 1
        then(tallies)
        if calls == after:
            raise KeyboardInterrupt

    return checkpoint


def test_a_checkpoint_has_the_levels_so_far() -> None:
    seen: list[tuple[RunTally, ...]] = []
    whole = train_by_level_on_target(M, TARGET, seed=5, checkpoint=seen.append)
    runs = [[tally.runs for tally in tallies] for tallies in seen]
    assert runs[:5] == [[100], [173], [173, 100], [173, 200], [173, 218]]
    assert runs[-1] == [173, 218, 604]
    assert seen[-1] == whole.tallies
    for tallies in (seen[0], seen[4], seen[-1], ()):
        assert train_by_level_on_target(M, TARGET, seed=5, resume=tallies) == whole
    with ThreadPoolExecutor(2) as pool:
        there = train_by_level_on_target(M, TARGET, seed=5, executor=pool, resume=seen[2])
    assert there == whole


@pytest.mark.parametrize("after", [1, 4, 6, 12])
def test_interrupted_it_goes_on_from_its_file(tmp_path: Path, after: int) -> None:
    whole = train_by_level_on_target(M, TARGET, seed=5)
    path = tmp_path / "runs.json"
    with pytest.raises(KeyboardInterrupt), TallyFile(path) as kept:
        train_by_level_on_target(M, TARGET, seed=5, checkpoint=interrupting(after, kept))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    counted: list[int] = []
    with TallyFile(path) as kept:
        begun = sum(tally.runs for tally in kept.tallies)
        assert begun > 0
        again = train_by_level_on_target(
            M,
            TARGET,
            seed=5,
            resume=kept.tallies,
            checkpoint=lambda tallies: counted.append(sum(tally.runs for tally in tallies)),
        )
    assert again == whole
    assert min(counted, default=begun + 1) > begun


def test_a_process_that_was_killed_leaves_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    kept = TallyFile(path, every=0)
    with pytest.raises(KeyboardInterrupt):  # and nobody leaves a block
        train_by_level_on_target(M, TARGET, seed=5, checkpoint=interrupting(6, kept))
    assert [tally.runs for tally in TallyFile(path).tallies] == [173, 218, 100]
    late = TallyFile(tmp_path / "late.json", every=1e9)
    late((RunTally(),))
    assert not late.path.exists()


def test_tallies_of_other_runs_are_refused() -> None:
    seen: list[tuple[RunTally, ...]] = []
    train_by_level_on_target(M, TARGET, seed=5, checkpoint=seen.append)
    last = seen[-1]
    wrong = [last[::-1], (*last, last[0]), (last[1],)]
    for tallies in wrong:
        with pytest.raises(InvalidInput, match="resume"):
            train_by_level_on_target(M, TARGET, seed=5, resume=tallies)
    with pytest.raises(InvalidInput, match="resume"):
        train_by_level_on_target(M, TARGET, seed=6, resume=last)
    with pytest.raises(InvalidInput, match="resume"):
        train_by_level_on_target(M, TARGET, seed=5, resume=last, by_law=True)


def test_by_law_a_level_is_a_batch() -> None:
    seen: list[tuple[RunTally, ...]] = []
    whole = train_by_level_on_target(M, TARGET, seed=5, checkpoint=seen.append, by_law=True)
    assert [len(tallies) for tallies in seen] == [1, 2, 3]
    for tallies in seen:
        again = train_by_level_on_target(M, TARGET, seed=5, resume=tallies, by_law=True)
        assert again == whole


def test_the_agnostic_learner_goes_on_from_its_file(tmp_path: Path) -> None:
    keys = singletons(4)
    learner = AgnosticPrivateLearner.with_promise(keys, "1/4", "1/10", 1, "1/1000000")
    noisy = FiniteDistribution.uniform([Example(x, x == 2) for x in range(4)] + [Example(2, 0)])
    whole = train_agnostic_on_target(learner, noisy, seed=5)
    path = tmp_path / "runs.json"
    with pytest.raises(KeyboardInterrupt), TallyFile(path) as kept:
        train_agnostic_on_target(learner, noisy, seed=5, checkpoint=interrupting(3, kept))
    done = 100 * (3 - -(-whole.tallies[0].runs // 100))  # of level 1, in batches of 100
    with TallyFile(path) as kept:
        assert [tally.runs for tally in kept.tallies] == [whole.tallies[0].runs, done]
        again = train_agnostic_on_target(
            learner, noisy, seed=5, checkpoint=kept, resume=kept.tallies
        )
    assert again == whole
    assert TallyFile(path).tallies == whole.tallies


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    assert TallyFile(path).tally == RunTally()
    good = {"schema": "pac-stability/run-tallies/1", "tallies": [RunTally().to_dict()] * 2}
    for document, reason in (
        ([], "schema"),
        ({**good, "schema": "other"}, "schema"),
        ({**good, "more": 1}, "other fields"),
        ({**good, "tallies": {}}, "other fields"),
        ({**good, "tallies": [3]}, "RunTally.to_dict"),
    ):
        path.write_text(json.dumps(document))
        with pytest.raises(InvalidInput, match=reason):
            TallyFile(path)
    path.write_text(json.dumps(good))
    with pytest.raises(InvalidInput, match="2 stages"):
        _ = TallyFile(path).tally
