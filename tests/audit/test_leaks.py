"""A program that draws besides its coins is never verified, in whatever process it is asked."""

from __future__ import annotations

import importlib.util
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pac_stability import Example, FiniteDistribution, InvalidInput, Sample, audit
from pac_stability.audit.again import Setting, audit_again
from pac_stability.audit.certificates import to_document
from pac_stability.randomness.watch import HiddenDraw
from pac_stability.testing import Declares, check_learner
from shared_subjects import flipped_label

if TYPE_CHECKING:
    from types import ModuleType

    from pac_stability.randomness import Coins

TOOL = Path(__file__).parents[2] / "tools" / "leaks.py"
FAIR = FiniteDistribution.uniform([Example(0, 0), Example(0, 1)])


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tools_leaks", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def leaks(tool: ModuleType) -> ModuleType:
    found: ModuleType = tool.programs()
    return found


def test_no_verdict_is_false_in_two_processes(tool: ModuleType, leaks: ModuleType) -> None:
    counted = tool.in_processes(2)
    wanted = dict.fromkeys(leaks.REFUSED, "refused, with the line")
    wanted |= dict.fromkeys(leaks.CHANGED, "refused, with what it keeps")
    wanted |= dict.fromkeys(leaks.ASSUMED, "verified, with what it assumes")
    assert counted == {name: {said: 2} for name, said in wanted.items()}


def test_the_tool_would_count_a_false_one(tool: ModuleType, leaks: ModuleType) -> None:
    _, program = leaks.ASSUMED["drawn when it was loaded"]
    assert tool.verdict(program, "Another assumption.") == "FALSE"
    assert tool.verdict(program, "") == "FALSE"


def test_every_way_to_ask_refuses_a_hidden_draw(leaks: ModuleType) -> None:
    program = leaks.REFUSED["random"]

    def output(sample: Sample[int], rng: Coins) -> int:
        return int(program(sample, 0, rng))

    failures = (audit.SubjectFailure, "a draw from random at leaks.py, line ")
    for ask in (
        lambda: audit.uniform_stability(program, 1, 1),
        lambda: audit.private_prediction(program, 1, 1),
        lambda: audit.differential_privacy(output, 1, 1),
        lambda: audit.group_privacy(output, 1, 1, 1),
        lambda: audit.global_stability(output, FAIR, 1),
        lambda: audit.is_symmetric(program, 1, 1),
        lambda: audit.is_symmetric(output, 1, 1),
        lambda: check_learner(output, declares=Declares(differential_privacy=1), domain=1, sizes=1),
    ):
        with pytest.raises(failures[0], match=failures[1]):
            ask()
    found = audit.private_prediction(flipped_label, 1, 2, claim=1)
    with pytest.raises(audit.SubjectFailure, match=failures[1]):
        audit_again(program, found, Setting((0,), 1))
    with pytest.raises(audit.SubjectFailure, match=failures[1]):
        audit.recheck(to_document(found), against=program)


def test_it_is_found_in_every_process_and_thread(leaks: ModuleType) -> None:
    with ThreadPoolExecutor(2) as executor:
        for name in ("random", "the clock, by name", "secrets"):
            with pytest.raises(audit.SubjectFailure, match="line "):
                audit.private_prediction(leaks.REFUSED[name], 2, 3, executor=executor)


def test_a_draw_far_into_an_audit_is_found_and_nothing_spoilt_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaks: ModuleType
) -> None:
    program, kept = leaks.REFUSED["random"], tmp_path / "kept"
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", 0.01)

    def late(sample: Sample[int], point: int, rng: Coins) -> int:
        return int(program(sample, point, rng)) if sample.labels == (1, 1, 1) else 0

    with pytest.raises(audit.SubjectFailure, match=r"a draw from random at leaks\.py") as caught:
        audit.private_prediction(late, 2, 3, checkpoint=kept)
    assert getattr(caught.value.sample, "labels", None) == (1, 1, 1)
    assert caught.value.partial is not None
    # Samples come in order, and the first with these labels is the one at the points 0, 0, 0.
    assert caught.value.partial.counts.datasets == 21
    with pytest.raises(audit.SubjectFailure, match=r"a draw from random at leaks\.py"):
        audit.private_prediction(late, 2, 3, checkpoint=kept)


def test_a_file_is_an_assumption_of_the_answer(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("1")

    def program(sample: Sample[int], point: int, rng: Coins) -> int:  # noqa: ARG001  # as asked
        return int(table.read_text())

    result = audit.private_prediction(program, 1, 1, claim=1, deterministic=True)
    assert result.verdict is audit.Verdict.VERIFIED
    assert len(result.assumptions) == 3
    assert result.assumptions[2].startswith("The file table.txt, which it reads at test_leaks.py")
    assert any("table.txt" in text for text in audit.recheck(to_document(result)).trusted)


def test_an_algorithm_that_gives_its_law_is_watched_too() -> None:
    def law(_: Sample[int]) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(int(random.random() < 0.001))

    with pytest.raises(InvalidInput, match=r"a draw from random at test_leaks\.py"):
        audit.differential_privacy(law, 1, 1)


def test_a_draw_that_does_not_show_again_spoils_all_that_was_answered_with_it(
    tmp_path: Path,
) -> None:
    salt: list[float] = []

    def salted(sample: Sample[int], rng: Coins) -> int:
        if not salt:
            salt.append(random.random())
        return rng.below(2) if sample.labels else 0

    kept = tmp_path / "kept"
    with pytest.raises(
        audit.SubjectFailure, match=r"a draw from random at test_leaks\.py"
    ) as caught:
        audit.differential_privacy(salted, 2, 2, checkpoint=kept)
    assert isinstance(caught.value.__cause__, HiddenDraw)
    assert not kept.exists()
