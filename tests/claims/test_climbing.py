"""What a search found are instances of a trial, and can be found again."""

import json
import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from pac_stability import InvalidInput, claims
from pac_stability.claims.kit import Climb, Finding, Genes, at_most
from shared_processes import of_source_tree

ROOT = Path(__file__).parents[2]
RANGES = (range(1, 5), range(0, 10, 3), range(2))


def instance(genes: Genes) -> int | None:
    return None if genes[2] else 10 * genes[0] + genes[1]


def climb() -> Climb[int]:
    return Climb("squares", RANGES, instance)


def by_climbing(most: int = 100) -> claims.Trial:
    return claims.trial(
        "numbers",
        lambda bound, n: at_most(n, bound, f"{n} > {bound}"),
        lambda budget: range(budget.pick(3, 4, 5)),
        subject=most,
        mutant=1,
        universe="small numbers",
        climb=climb(),
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(Climb, "file", property(lambda of: tmp_path / f"{of.name}.json"))
    return tmp_path


def keep(folder: Path, document: object) -> None:
    (folder / "squares.json").write_text(json.dumps(document), encoding="utf-8")


def test_finds_come_after_all_other_instances(folder: Path) -> None:
    found = by_climbing()
    assert [f.tension for _, f in found.findings(claims.Budget.QUICK)][-1] == Fraction(2, 100)
    keep(folder, [{"seed": 1, "genes": [4, 9, 0]}, {"seed": 2, "genes": [1, 0, 0]}])
    positions, findings = zip(*found.findings(claims.Budget.STANDARD), strict=True)
    assert positions == (0, 1, 2, 3, 4, 5)
    assert [f.tension for f in findings[-2:]] == [Fraction(49, 100), Fraction(10, 100)]
    assert found.universe == "small numbers; and what a search found"


def test_what_was_found_refutes_like_any_instance(folder: Path) -> None:
    keep(folder, [{"seed": 1, "genes": [4, 9, 0]}])
    tally = claims.Tally.of(by_climbing(most=48).findings(claims.Budget.QUICK))
    assert tally.refuting == (3, "49 > 48")


@pytest.mark.parametrize("document", [
    {"seed": 1}, [[4, 9, 0]], [{"seed": 1, "genes": [4, 9]}], [{"seed": 1, "genes": [4, 9, 0, 0]}],
    [{"seed": 1, "genes": [5, 9, 0]}], [{"seed": 1, "genes": [4, 8, 0]}],
    [{"seed": 1, "genes": [4, 9, False]}], [{"seed": 1, "genes": [4, 9, 0.0]}],
    [{"seed": "1", "genes": [4, 9, 0]}], [{"seed": 1, "genes": [4, 9, 0], "tension": 1}],
    [{"seed": 1, "genes": [4, 9, 1]}],
])  # fmt: skip
def test_a_file_of_another_form_is_refused(folder: Path, document: object) -> None:
    keep(folder, document)
    with pytest.raises(InvalidInput, match=r"squares\.json"):
        list(climb().instances())


@given(st.integers(0, 200))
def test_neighbours_are_one_or_two_steps_away(seed: int) -> None:
    coins = Random(seed)
    genes = climb().start(coins)
    assert all(gene in values for gene, values in zip(genes, RANGES, strict=True))
    neighbours = list(climb().neighbours(genes, coins))
    one_step = [
        tuple(new if i == place else gene for i, gene in enumerate(genes))
        for place, values in enumerate(RANGES)
        for new in (genes[place] - values.step, genes[place] + values.step)
        if new in values
    ]
    assert sorted(neighbours[: len(one_step)]) == sorted(one_step)
    for other in neighbours:
        assert all(gene in values for gene, values in zip(other, RANGES, strict=True))
        assert sum(a != b for a, b in zip(genes, other, strict=True)) <= 2


def kept_climbs() -> Iterator[tuple[str, claims.Trial]]:
    for claim in claims.all():
        for one in claim.trials:
            if one.by_climbing is not None:
                yield claim.key, one


def test_every_file_belongs_to_one_climb() -> None:
    names = [t.by_climbing.climb.name for _, t in kept_climbs() if t.by_climbing is not None]
    assert len(set(names)) == len(names) >= 10
    files = {t.by_climbing.climb.file for _, t in kept_climbs() if t.by_climbing is not None}
    assert {path for file in files for path in file.parent.glob("*.json")} == files


@pytest.mark.parametrize("asked", [pytest.param(t, id=key) for key, t in kept_climbs()])
def test_what_is_kept_is_an_instance_of_its_trial(asked: claims.Trial) -> None:
    assert asked.by_climbing is not None
    finds = asked.by_climbing.climb.finds()
    assert 1 <= len(finds) <= 3
    for find in finds:
        found = asked.by_climbing.ask(find.genes)
        assert isinstance(found, Finding)
        assert found.tension


def test_the_search_finds_the_same_again_and_goes_up() -> None:
    if "PAC_STABILITY_EXPECT_INSTALLED" in os.environ:
        pytest.skip("it searches with the tools of the source tree, and the wheel is tested")
    program = (
        "import time\n"
        "from tools.climb import Search\n"
        "from tests.claims.test_climbing import by_climbing\n"
        "of = by_climbing().by_climbing\n"
        "for _ in range(2):\n"
        "    search = Search(of, 1, time.monotonic() + 3600)\n"
        "    print([(str(b.tension), b.genes) for b in map(search.climb, range(3))])\n"
    )
    done = of_source_tree(program)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == second
    assert first == str([("49/100", (4, 9, 0))] * 3)


def test_what_was_found_before_an_interruption_is_kept(tmp_path: Path) -> None:
    if "PAC_STABILITY_EXPECT_INSTALLED" in os.environ:
        pytest.skip("it searches with the tools of the source tree, and the wheel is tested")
    program = (
        "import argparse, sys\n"
        "from pathlib import Path\n"
        "import tools.climb as tool\n"
        "from pac_stability.claims.kit import Climb\n"
        "from tests.claims.test_climbing import by_climbing\n"
        "folder = Path(sys.argv[1])\n"
        "Climb.file = property(lambda of: folder / f'{of.name}.json')\n"
        "def stopped(search, first):\n"
        "    yield first, search.climb(first)\n"
        "    raise KeyboardInterrupt\n"
        "tool.searched = stopped\n"
        "options = argparse.Namespace(seed=5, seconds=3600, first=7, keep=1)\n"
        "tool.run('DF20:lemma-0', 'numbers', by_climbing().by_climbing, options)\n"
    )
    done = of_source_tree(program, str(tmp_path))
    assert done.returncode == 130, done.stderr
    assert "go on with --from 8" in done.stdout
    kept = json.loads((tmp_path / "squares.json").read_text(encoding="utf-8"))
    assert kept == [{"seed": 5, "genes": [4, 9, 0]}]


def test_the_command_keeps_what_it_finds_and_says_what_refutes(tmp_path: Path) -> None:
    if "PAC_STABILITY_EXPECT_INSTALLED" in os.environ:
        pytest.skip("it searches with the tools of the source tree, and the wheel is tested")
    program = (
        "import argparse, sys\n"
        "from pathlib import Path\n"
        "import tools.climb as tool\n"
        "from pac_stability.claims.kit import Climb\n"
        "from tests.claims.test_climbing import by_climbing\n"
        "folder = Path(sys.argv[1])\n"
        "Climb.file = property(lambda of: folder / f'{of.name}.json')\n"
        "options = argparse.Namespace(seed=5, seconds=0.5, first=0, keep=1)\n"
        "print(tool.run('DF20:lemma-0', 'numbers', by_climbing().by_climbing, options))\n"
        "print(tool.run('DF20:lemma-0', 'numbers', by_climbing(48).by_climbing, options))\n"
    )
    done = of_source_tree(program, str(tmp_path))
    assert done.returncode == 0, done.stderr
    kept = json.loads((tmp_path / "squares.json").read_text(encoding="utf-8"))
    assert kept == [{"seed": 5, "genes": [4, 9, 0]}]
    lines = done.stdout.splitlines()
    assert "True" in lines
    assert lines[-2:] == ["  REFUTED by [4, 9, 0]: 49 > 48", "False"]
