"""How audits are run: processes, progress, budgets, interruption and checkpoints."""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import pickle
import random
import shutil
import sys
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest

from pac_stability import arithmetic, audit, data, errors
from pac_stability.audit import AuditStopped, Progress, SubjectFailure, Verdict
from pac_stability.audit.notions import notion
from pac_stability.audit.search import checkpoint, neighbour_ranks, parallel
from pac_stability.audit.search.asking import Answers, Questions
from pac_stability.audit.search.sweep import BestPair, Sweep
from pac_stability.audit.subjects import prediction_source
from pac_stability.keeping.fingerprint import _is_users
from pac_stability.randomness.watch import Watch
from shared_subjects import WorkersDie


@pytest.fixture(autouse=True)
def _one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """An audit is alone unless it is told otherwise, so that what is asked is counted here."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0})


class Frequency:
    """Laplace's rule of succession at each point, with a record of what was asked."""

    symmetric = True

    def __init__(self, fail_at: int | None = None) -> None:
        self.asked = 0
        self.fail_at = fail_at

    def __reduce__(self) -> tuple[type[Frequency], tuple[()]]:
        # What was asked, and where it fails, is no part of it: its answers are the same.
        return Frequency, ()

    def probabilities(self, sample: data.Sample[int], points: Sequence[int], /) -> list[Fraction]:
        self.asked += 1
        if self.asked == self.fail_at:
            raise KeyboardInterrupt
        return [
            Fraction(
                1 + sum(z.label for z in sample if z.point == x),
                2 + sum(z.point == x for z in sample),
            )
            for x in points
        ]


def test_pieces_asked_elsewhere_are_put_together_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)  # one sample a piece
    alone = audit.private_prediction(Frequency(), 2, 3)
    with ThreadPoolExecutor(2) as threads:
        assert audit.private_prediction(Frequency(), 2, 3, executor=threads) == alone


def fails_late(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
    if bits == (1, 1, 0):
        raise ValueError("late")
    return data.FiniteDistribution.point_mass(bits[0])


def test_failures_elsewhere_keep_the_answers_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    with ThreadPoolExecutor(2) as threads, pytest.raises(SubjectFailure, match="late") as caught:
        audit.differential_privacy(fails_late, 2, 3, labelled=False, executor=threads, claim=1)
    partial_result = caught.value.partial
    assert partial_result is not None
    assert partial_result.counts.datasets == 6
    assert partial_result.verdict is Verdict.REFUTED


def test_failures_travel_between_processes() -> None:
    failure = SubjectFailure("mechanism", "this", "that", (0, 1))
    again = pickle.loads(pickle.dumps(failure))  # noqa: S301  # our own bytes
    assert (str(again), again.sample, again.partial) == (str(failure), (0, 1), None)
    stopped = pickle.loads(pickle.dumps(AuditStopped("limit")))  # noqa: S301  # our own bytes
    assert str(stopped) == "limit"


def test_what_cannot_travel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def local(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
        return data.FiniteDistribution.point_mass(bits[0])

    monkeypatch.setattr("pac_stability.audit.search.parallel.can_fork", lambda: False)
    refused = pytest.raises(errors.InvalidInput, match=r"mechanism: got .*local.* cannot be sent")
    with refused:
        audit.differential_privacy(local, 2, 1, labelled=False, processes=2)
    with ProcessPoolExecutor(1) as pool, refused:
        audit.differential_privacy(local, 2, 1, labelled=False, executor=pool)


def test_an_executor_or_processes() -> None:
    with ThreadPoolExecutor(1) as threads, pytest.raises(errors.InvalidInput, match="processes"):
        audit.private_prediction(Frequency(), 2, 1, executor=threads, processes=1)


def test_a_sweep_in_pieces_finds_the_same_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel._NUMBERS", 1)
    monkeypatch.setattr("pac_stability.audit.search.parallel._WORTH_SENDING", 1e-9)
    universe = data.all_examples(range(2))
    neighbourhood = neighbour_ranks.Neighbourhood(4, 3, up_to_order=True)
    questions = Questions(prediction_source(Frequency(), (0, 1)), neighbourhood, universe, True)
    answers = Answers(2)
    questions.ask(answers, 0, neighbourhood.samples, float("inf"))
    sweep = Sweep(answers, notion.Factor(), 1 << 20)
    start = BestPair(Fraction(1), 0, 1, upper=Fraction(1))
    alone = parallel.sweep_all(sweep, neighbourhood, start, None, lambda _done, _best: None)
    done: list[int] = []
    with ThreadPoolExecutor(2) as threads:
        together = parallel.sweep_all(
            sweep,
            neighbourhood,
            start,
            parallel.GivenExecutor(threads),
            lambda units, _best: done.append(units),
        )
    assert together == alone
    # From no label 1 among three at a point to one: (2/5) / (1/5).
    assert alone.value == 2
    assert done == list(range(1, neighbourhood.units + 1))


class OneApart:
    """Half, but a quarter on the sample of two examples (0, 1)."""

    def probabilities(self, sample: data.Sample[int], _points: Sequence[int], /) -> list[Fraction]:
        return [Fraction(1, 4 if list(sample) == [data.Example(0, 1)] * 2 else 2)]


def test_pieces_that_know_of_no_better_pair_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pair is in the second of four units; the others are begun before it is known."""
    monkeypatch.setattr("pac_stability.audit.search.parallel._NUMBERS", 1)
    monkeypatch.setattr("pac_stability.audit.search.parallel._WORTH_SENDING", 1e-9)
    with ThreadPoolExecutor(2) as threads:
        result = audit.private_prediction(
            OneApart(), 2, 2, points=[0], symmetric=True, executor=threads
        )
    assert result.value == 2


def test_a_process_that_is_killed_leaves_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    path = tmp_path / "audit.json"
    run = partial(audit.private_prediction, Frequency(), 2, 3, checkpoint=path)
    with pytest.raises(AuditStopped, match="a process of the executor ended") as caught:
        run(executor=WorkersDie())
    assert caught.value.partial is not None
    assert caught.value.partial.counts.datasets == 2
    found, whole = run(), audit.private_prediction(Frequency(), 2, 3)
    assert found.kept == 2
    assert replace(found, kept=0, assumptions=whole.assumptions) == whole


def test_progress_is_reported_to_the_end() -> None:
    reports: list[Progress] = []
    audit.private_prediction(Frequency(), 3, 5, progress=reports.append)
    last = [
        max((r for r in reports if r.stage == stage), key=lambda r: r.done)
        for stage in ("asking", "comparing")
    ]
    # Samples up to order over 6 examples: C(10, 5); those of size 4: C(9, 4).
    assert [(r.done, r.total) for r in last] == [(252, 252), (126, 126)]
    assert all(earlier.seconds <= later.seconds for earlier, later in pairwise(reports))


def test_remaining_time_is_that_of_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    monkeypatch.setattr("pac_stability.audit.options._REPORT_EVERY", 0.0)
    times = iter(range(1000))
    monkeypatch.setattr("pac_stability.audit.options.time.perf_counter", lambda: float(next(times)))
    reports: list[Progress] = []
    audit.private_prediction(Frequency(), 1, 3, progress=reports.append)
    asking = [r for r in reports if r.stage == "asking"]
    assert asking[0].remaining is None
    # Every look at the clock takes a second, and there is a constant number of looks a sample.
    looks = asking[2].seconds - asking[1].seconds
    assert asking[2].remaining == looks * (asking[2].total - asking[2].done)


def test_what_progress_raises_ends_the_audit() -> None:
    def stop(_report: Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        audit.private_prediction(Frequency(), 2, 2, progress=stop)


def test_a_domain_that_is_too_large_is_refused_before_anything_is_asked() -> None:
    frequency = Frequency()
    with pytest.raises(
        AuditStopped, match=r"27,720 pairs .* max_pairs=27719; max_pairs=27720 would"
    ):
        audit.private_prediction(frequency, 4, 5, max_pairs=27_719)
    with pytest.raises(AuditStopped, match=r"792 samples.* max_memory=1000; max_memory=\d+ would"):
        audit.private_prediction(frequency, 4, 5, max_memory=1000)
    assert frequency.asked == 0
    with pytest.raises(AuditStopped, match="max_pairs"):
        audit.private_prediction(frequency, 50, 100)


@pytest.mark.parametrize("symmetric", [True, False])
def test_a_domain_beyond_all_numbers_is_refused_at_once(symmetric: bool) -> None:
    # 200^n samples, or C(n + 199, n), and their neighbours: numbers too long to compute with.
    coin = data.FiniteDistribution.uniform(data.all_examples(range(100)))
    law = data.Deterministic(len)
    refused = pytest.raises(AuditStopped, match=r"more than 2\^1000 samples")
    for n in (10**9, 10**18, 10**400):
        with refused:
            audit.private_prediction(Frequency(), 100, n, symmetric=symmetric)
        with refused:
            audit.group_privacy(law, 1, n, n, symmetric=symmetric)
        with refused:
            audit.global_stability(law, coin, n, symmetric=symmetric)


def test_the_budget_that_is_named_does() -> None:
    with pytest.raises(AuditStopped) as caught:
        audit.private_prediction(Frequency(), 2, 3, max_pairs=1)
    named = int(str(caught.value).split("max_pairs=")[-1].split()[0])
    assert audit.private_prediction(Frequency(), 2, 3, max_pairs=named).value == 2


def test_many_different_answers_exhaust_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)

    class Different:
        def probabilities(
            self, sample: data.Sample[int], points: Sequence[int], /
        ) -> list[Fraction]:
            key = sum(10**place * label for place, label in enumerate(sample.labels))
            return [Fraction(1, key + 2)] * len(points)

    with pytest.raises(
        AuditStopped, match=r"of 64 samples take about .* max_memory=\d+ would"
    ) as caught:
        audit.private_prediction(Different(), 1, 6, max_memory=5_000)
    assert caught.value.partial is not None
    assert 0 < caught.value.partial.counts.datasets < 64


@pytest.mark.parametrize(
    "options", [{"time_limit": 0}, {"max_pairs": 0}, {"max_memory": -1}, {"processes": 0}]
)
def test_bad_limits_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(errors.InvalidInput, match=next(iter(options))):
        audit.private_prediction(Frequency(), 2, 1, **options)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize(
    ("symmetric", "hint"), [(False, r"\(symmetric\), there are 20$"), (True, "s$")]
)
def test_what_takes_long_is_told_how_many_there_are_up_to_order(
    symmetric: bool, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    with pytest.raises(AuditStopped, match=hint):
        audit.private_prediction(lambda _s, _x, _rng: 0, 2, 3, time_limit=1e-9, symmetric=symmetric)


def test_the_time_limit_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    with pytest.raises(
        AuditStopped, match=r"time limit of 1e-09 s was reached after 1 of 20 samples"
    ):
        audit.private_prediction(Frequency(), 2, 3, time_limit=1e-9)
    seconds = iter([0.0] * 30 + [10.0] * 1000)
    monkeypatch.setattr("pac_stability.audit.options.time.perf_counter", lambda: next(seconds))
    with pytest.raises(AuditStopped) as caught:
        audit.private_prediction(Frequency(), 2, 3, time_limit=5, claim=0)
    partial_result = caught.value.partial
    assert partial_result is not None
    assert 1 < partial_result.counts.datasets < 20
    assert partial_result.verdict is Verdict.REFUTED
    assert partial_result.value > 1
    assert "lower bound" in partial_result.note


def test_the_time_limit_ends_comparisons_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel._NUMBERS", 1)
    with pytest.raises(
        AuditStopped, match=r"all 20 samples were asked about and .*% of 180 pairs"
    ) as caught:
        audit.private_prediction(Frequency(), 2, 3, time_limit=1e-9)
    assert caught.value.partial is not None
    assert caught.value.partial.counts.datasets == 20
    # One unit, a sample of size two with each of four examples inserted.
    assert caught.value.partial.counts.pairs == 12


def interrupted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a checkpoint of an audit that was interrupted after some samples."""
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    with pytest.raises(audit.AuditInterrupted) as stop:
        audit.private_prediction(Frequency(fail_at=20), 2, 3, checkpoint=path)
    # Label 1 at point 0 has 1/5 on three zeros there and 2/5 where one of them is a one.
    partial = stop.value.partial
    assert (partial.verdict, partial.counts.datasets) == (audit.Verdict.BOUNDED, 9)
    assert partial.value == 2


def test_an_interrupted_audit_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit.json"
    interrupted(path, monkeypatch)
    assert [p.name for p in tmp_path.iterdir()] == ["audit.json"]
    whole, rest = Frequency(), Frequency()
    expected = audit.private_prediction(whole, 2, 3)
    found = audit.private_prediction(rest, 2, 3, checkpoint=path)
    # 20 samples are 4 points long: those numbered 0, 1, 2, 4, 8 were asked about three times.
    assert (found.kept, found.counts.datasets) == (9, 20)
    assert found.assumptions == (
        *expected.assumptions,
        "9 of the 20 answers came from a checkpoint, which says that the same code gave them.",
    )
    assert replace(found, kept=0, assumptions=expected.assumptions) == expected
    # Of the 9, those numbered 0, 1, 2, 4 and 8 are asked about again, each in both its orders.
    assert rest.asked == whole.asked - 19 + 10


def test_what_kept_answers_rest_on_is_kept_with_them(tmp_path: Path) -> None:
    path = tmp_path / "audit.json"
    answers, kept = Answers(1), checkpoint.Checkpoint(path, "it")
    assert kept.load(1, 1).count == 0
    answers.add((Fraction(1, 2),))
    answers.assumed["It looks at a clock."] = None
    kept.save(answers, now=True)
    found = checkpoint.Checkpoint(path, "it").load(1, 1)
    assert (found.values, list(found.assumed)) == ([Fraction(1, 2)], ["It looks at a clock."])


def test_a_finished_audit_removes_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit.json"
    interrupted(path, monkeypatch)
    audit.private_prediction(Frequency(), 2, 3, checkpoint=path)
    again = audit.private_prediction(Frequency(), 2, 3, checkpoint=path)
    assert again.kept == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("check", "asked"), [(0, 10), (3, 16), (Fraction(1, 3), 16), (100, 18)])
def test_kept_answers_are_asked_for_again_at_random(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: int | Fraction, asked: int
) -> None:
    path = tmp_path / "audit.json"
    interrupted(path, monkeypatch)
    # Drawn are the first of those that are not asked about anyway; of 9 these are 3, 5, 6, 7.
    monkeypatch.setattr(
        random.SystemRandom, "sample", lambda _self, _among, k: [3, 5, 6, 7, 0, 1, 2, 4, 8][:k]
    )
    learner = Frequency(fail_at=asked + 1)
    with pytest.raises(KeyboardInterrupt):
        audit.private_prediction(learner, 2, 3, checkpoint=path, check_cache=check)
    # The next question, which failed, was the first new one.
    kept = zlib.decompress(base64.b64decode(json.loads(path.read_text())["places"]))
    assert len(kept) == 9 * 2 * 4


def test_a_fresh_start_ignores_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit.json"
    interrupted(path, monkeypatch)
    expected = audit.private_prediction(Frequency(), 2, 3)
    assert audit.private_prediction(Frequency(), 2, 3, checkpoint=path, fresh=True) == expected
    interrupted(path, monkeypatch)
    path.write_text("notes")
    with pytest.raises(errors.InvalidInput, match="checkpoint: got another file"):
        audit.private_prediction(Frequency(), 2, 3, checkpoint=path, fresh=True)
    assert path.read_text() == "notes"


def test_a_checkpoint_survives_a_learner_that_raises(tmp_path: Path) -> None:
    path = tmp_path / "audit.json"
    with pytest.raises(SubjectFailure):
        audit.differential_privacy(fails_late, 2, 3, labelled=False, checkpoint=path)
    assert len(json.loads(path.read_text())["values"]) == 2


def test_a_checkpoint_of_another_audit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit.json"
    interrupted(path, monkeypatch)
    before = path.read_bytes()
    others: list[Callable[[], object]] = [
        partial(audit.private_prediction, Frequency(), 2, 2, checkpoint=path),
        partial(audit.private_prediction, Frequency(), 3, 3, checkpoint=path),
        partial(audit.private_prediction, Frequency(), 2, 3, "1/2", checkpoint=path),
        partial(audit.uniform_stability, Frequency(), 2, 3, checkpoint=path),
        partial(audit.private_prediction, Frequency(), 2, 3, points=[0], checkpoint=path),
    ]
    for other in others:
        with pytest.raises(errors.InvalidInput, match="checkpoint: got"):
            other()
    assert path.read_bytes() == before


def coin(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
    return (
        data.FiniteDistribution.uniform([0, 1]) if sum(bits) < 99 else data.FiniteDistribution({})
    )


def leaks_one(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
    return data.FiniteDistribution.point_mass(1) if bits == (1, 1, 1) else coin(bits)


leaks_one.__qualname__ = "coin"


def test_a_checkpoint_does_not_outlive_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is of a fair coin, the algorithm of the same name answers one sample otherwise."""
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    path = tmp_path / "audit.json"
    stop = partial(audit.differential_privacy, n=3, labelled=False, claim=1, checkpoint=path)
    with pytest.raises(AuditStopped):
        stop(coin, (0, 1), time_limit=1e-9)
    refuted = stop(leaks_one, (0, 1))
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.kept == 0
    assert refuted.note == (
        "the checkpoint is of other code: the code, or what it refers to changed since; "
        "it is now audit.json.old, and everything was asked again"
    )
    assert [p.name for p in tmp_path.iterdir()] == ["audit.json.old"]
    assert refuted == replace(stop(leaks_one, (0, 1)), note=refuted.note)


def test_a_checkpoint_of_an_algorithm_that_changed_is_of_no_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit.json"
    interrupted(path, monkeypatch)
    monkeypatch.setattr(
        Frequency, "probabilities", lambda _self, _sample, points: [Fraction(1, 7)] * len(points)
    )
    found = audit.private_prediction(Frequency(), 2, 3, checkpoint=path)
    assert (found.value, found.kept) == (1, 0)
    assert "is of other code" in found.note


def test_a_change_on_early_samples_is_noticed_on_going_on(tmp_path: Path) -> None:
    # What the answers depend on is whether a file is there, where no fingerprint looks. Sample
    # number 2 is not the last one, and not of the witness.
    path = tmp_path / "audit.json"

    def law(sample: tuple[int, ...]) -> data.FiniteDistribution[int]:
        number = int("".join(map(str, sample)), 4)
        if number == 40 and not (tmp_path / "odd 2").exists():
            raise ValueError(number)
        return data.FiniteDistribution.point_mass(int((tmp_path / f"odd {number}").exists()))

    (tmp_path / "odd 16").touch()
    with pytest.raises(SubjectFailure, match="ValueError"):
        audit.differential_privacy(law, 4, 3, labelled=False, checkpoint=path)
    (tmp_path / "odd 2").touch()
    with pytest.raises(
        SubjectFailure,
        match=r"two different answers .* \(0, 0, 2\).* kept in .*audit.json.*--fresh",
    ):
        audit.differential_privacy(law, 4, 3, labelled=False, checkpoint=path)
    assert path.exists()
    fresh = audit.differential_privacy(law, 4, 3, labelled=False, checkpoint=path, fresh=True)
    assert fresh.kept == 0


def test_what_cannot_be_read_of_an_algorithm_is_an_assumption(tmp_path: Path) -> None:
    path = tmp_path / "audit.json"
    lock = threading.Lock()

    def law(sample: tuple[int, ...]) -> data.FiniteDistribution[int]:
        with lock:
            return data.FiniteDistribution.point_mass(0 * len(sample))

    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audit.differential_privacy(law, 2, 3, labelled=False, checkpoint=path, progress=stop)
    found = audit.differential_privacy(law, 2, 3, labelled=False, checkpoint=path)
    assert found.kept
    assert found.assumptions[-1] == (
        "What could not be read has not changed since: "
        "an object of type lock, whose contents cannot be read."
    )


def checked(document: Mapping[str, object]) -> str:
    """Write a checkpoint with a digest that is right, however wrong the rest is."""
    body = json.dumps(document).removesuffix("}")
    return f'{body}, "check": "{hashlib.sha256(body.encode()).hexdigest()}"}}\n'


def document_of(path: Path) -> dict[str, object]:
    document = json.loads(path.read_text())
    del document["check"]
    return cast("dict[str, object]", document)


@pytest.mark.parametrize(("key", "value"), [
    ("version", 1), ("values", ["1/0"]), ("values", ["1e99999999"]), ("values", [0.5]),
    ("values", []), ("places", "?"), ("places", "AAAA"),
    ("places", base64.b64encode(zlib.compress(bytes(10**6))).decode()),
    (None, lambda text: text[: len(text) // 2]), (None, lambda text: text[:-1]),
    (None, lambda text: text.replace("1/2", "1/3")), (None, lambda text: text + " "),
    (None, lambda text: text[:80] + "[" * 100_000), (None, lambda _: "\0" * 100),
    (None, lambda _: ""), (None, lambda text: text + "\ud800"),
])  # fmt: skip
def test_a_damaged_checkpoint_is_set_aside_and_work_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str | None, value: Any
) -> None:
    path = tmp_path / "audit.json"
    interrupted(path, monkeypatch)
    document = document_of(path)
    assert path.read_text() == checked(document)
    text = value(path.read_text()) if key is None else checked({**document, key: value})
    content = text.encode("utf-8", "surrogatepass")
    path.write_bytes(content)
    expected = audit.private_prediction(Frequency(), 2, 3)
    found = audit.private_prediction(Frequency(), 2, 3, checkpoint=path)
    assert replace(found, note="") == expected
    if content:
        assert found.note == (
            "the checkpoint is damaged; it is now audit.json.old, and everything was asked again"
        )
        assert (tmp_path / "audit.json.old").read_bytes() == content
    assert not path.exists()


@pytest.mark.parametrize("content", ["[]", '{"format": "other"}', "hello", "\ud800"])
def test_a_file_of_somebody_else_is_refused_and_stays(tmp_path: Path, content: str) -> None:
    path = tmp_path / "audit.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    before = path.read_bytes()
    with pytest.raises(errors.InvalidInput, match="checkpoint: got another file"):
        audit.private_prediction(Frequency(), 2, 3, checkpoint=path)
    assert path.read_bytes() == before


def laws_of_all_kinds(bits: tuple[int, ...]) -> object:
    if bits[0] == 0:
        return data.FiniteDistribution({("x", 1): Fraction(1, 3), None: Fraction(2, 3)})
    return data.EnclosedDistribution.in_proportion({("x", 1): arithmetic.Interval.exp(-1), None: 1})


def test_checkpoints_hold_laws_of_all_kinds(tmp_path: Path) -> None:
    path = tmp_path / "audit.json"
    first, again = (
        audit.differential_privacy(
            laws_of_all_kinds,  # type: ignore[arg-type]  # it gives both kinds
            2,
            2,
            labelled=False,
            checkpoint=path,
        )
        for _ in range(2)
    )
    assert first == again
    assert isinstance(first.value, arithmetic.Interval)


def test_outcomes_without_a_form_in_json_cannot_be_kept(tmp_path: Path) -> None:
    with pytest.raises(
        errors.InvalidInput, match=r"checkpoint: got the outcome .*, want outcomes made of"
    ):
        audit.differential_privacy(
            lambda bits: data.FiniteDistribution.point_mass(frozenset(bits)), 2, 1,
            labelled=False, checkpoint=tmp_path / "audit.json",
        )  # fmt: skip


def test_a_checkpoint_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidInput, match="want a file that can be written"):
        audit.private_prediction(Frequency(), 2, 1, checkpoint=tmp_path / "none" / "audit.json")


def test_number_sweeps_travel() -> None:
    answers = Answers(1)
    answers.add((Fraction(1, 3),))
    answers.add((Fraction(1, 4),))
    sweep = Sweep(answers, notion.Factor(), 1 << 20)
    again = pickle.loads(pickle.dumps(sweep))  # noqa: S301  # our own bytes
    cliques = neighbour_ranks.Neighbourhood(2, 1).cliques(0, 1)[0]
    start = BestPair(notion.Factor().floor, 0, 1, upper=Fraction(1))
    # Label 1: (1/3) / (1/4); label 0: (3/4) / (2/3) is less.
    assert again.sweep(cliques, start) == BestPair(Fraction(4, 3), 0, 1, upper=Fraction(4, 3))


LEARNER = "def asks(records):\n    return leaks(records) or 0\n"
NEVER, ALWAYS = "def f(records):\n    return 0\n", "def f(records):\n    return 1\n"
SHIPPED = "__version__ = '1'\nK = 0\ndef leaks(records):\n    return K\n"
EDITS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "the function": (
        {"subject.py": "def leaks(records):\n    return 0\n"},
        {"subject.py": "def leaks(records):\n    return 1\n"},
    ),
    "a helper of an installed package": (
        {
            "subject.py": "from shipped import leaks\n",
            "site-packages/shipped/__init__.py": "from shipped import inner\n__version__ = '1'\n"
            "def leaks(records):\n    return inner.f(records)\n",
            "site-packages/shipped/inner.py": NEVER,
        },
        {"site-packages/shipped/inner.py": ALWAYS},
    ),
    "a constant of an installed package": (
        {"subject.py": "from shipped import leaks\n", "site-packages/shipped/__init__.py": SHIPPED},
        {"site-packages/shipped/__init__.py": SHIPPED.replace("K = 0", "K = 1")},
    ),
    "a package that an installed one uses": (
        {
            "subject.py": "from shipped import leaks\n",
            "site-packages/shipped.py": "import below\ndef leaks(records):\n"
            "    return below.f(records)\n",
            "site-packages/below.py": NEVER,
        },
        {"site-packages/below.py": ALWAYS},
    ),
    "a module of an installed package, imported as it runs": (
        {
            "subject.py": "from shipped import leaks\n",
            "site-packages/shipped/__init__.py": "def leaks(records):\n"
            "    from shipped import inner\n    return inner.f(records)\n",
            "site-packages/shipped/inner.py": NEVER,
        },
        {"site-packages/shipped/inner.py": ALWAYS},
    ),
    "a module, imported as it runs": (
        {
            "subject.py": "def leaks(r):\n    import other\n    return other.f(r)\n",
            "other.py": NEVER,
        },
        {"other.py": ALWAYS},
    ),
    "a module, imported by a helper as it runs": (
        {
            "subject.py": "import other\ndef leaks(r):\n    return other.go(r)\n",
            "other.py": "def go(r):\n    from deep import er\n    return er.f(r)\n",
            "deep/__init__.py": "",
            "deep/er.py": NEVER,
        },
        {"deep/er.py": ALWAYS},
    ),
    "a module of a made-up name": (
        {
            "subject.py": "import importlib\ndef leaks(r):\n"
            "    return importlib.import_module('oth' + 'er').f(r)\n",
            "other.py": NEVER,
        },
        {"other.py": ALWAYS},
    ),
    "an attribute by getattr": (
        {"subject.py": "import other\ndef leaks(r):\n    return getattr(other, 'f')(r)\n"}
        | {"other.py": NEVER},
        {"other.py": ALWAYS},
    ),
    "a module that patches another": (
        {"subject.py": "import other, patch\ndef leaks(r):\n    return other.f(r)\n"}
        | {"other.py": NEVER, "patch.py": "\n"},
        {"patch.py": "import other\nother.f = lambda r: 1\n"},
    ),
    "a base class elsewhere": (
        {
            "subject.py": "import other\nC = other.C()\ndef leaks(r):\n    return int(C == r)\n",
            "other.py": "from base import B\nclass C(B):\n    pass\n",
            "base.py": "class B:\n    def __eq__(self, r):\n        return False\n",
        },
        {"base.py": "class B:\n    def __eq__(self, r):\n        return True\n"},
    ),
    "a file, read as it runs": (
        {
            "subject.py": "from pathlib import Path\ndef leaks(records):\n"
            "    return int(Path(__file__).with_name('data.txt').read_text())\n",
            "data.txt": "0",
        },
        {"data.txt": "1"},
    ),
    "the environment": (
        {"subject.py": "import os\ndef leaks(r):\n    return int('KEPT_K' in os.environ)\n"},
        {},
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_no_edit_between_two_runs_goes_unseen(
    edit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = EDITS[edit]
    for folder in (tmp_path, tmp_path / "site-packages"):
        monkeypatch.syspath_prepend(folder)

    def put(files: dict[str, str]) -> None:
        for name, text in files.items():
            there = tmp_path / name
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_text(text + (LEARNER if name == "subject.py" else ""))

    def forget() -> None:
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", "")).startswith(str(tmp_path)):
                del sys.modules[name]

    def begun() -> checkpoint.Checkpoint:
        forget()  # as a new process has it
        for cached in tmp_path.rglob("__pycache__"):
            shutil.rmtree(cached)
        importlib.invalidate_caches()
        _is_users.cache_clear()
        return checkpoint.Checkpoint(
            tmp_path / "kept.json", "an audit", (importlib.import_module("subject").asks,)
        )

    put(before)
    first = begun()
    answers = first.load(1, 9)
    with Watch((), answers.assumed):
        assert first.asked[0](()) == 0  # type: ignore[operator]  # the program
    first.save(answers, now=True)
    put(after)
    if not after:
        monkeypatch.setenv("KEPT_K", "1")
    second = begun()
    second.load(1, 9)
    assert second.asked[0](()) == 1  # type: ignore[operator]  # the program
    assert "changed since" in second.remark
    forget()
