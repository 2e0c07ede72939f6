"""The mutator: what it makes wrong, how its tables name a place, and what its judge says."""

import os
import random
import re
from pathlib import Path

import pytest

from shared_processes import of_source_tree

ROOT = Path(__file__).parents[2]
SOURCE = '''\
"""A docstring with 1 + 1 and a < b."""

from math import ceil, floor


def rounded(x: int = 3, *, up: bool = True) -> int:
    """Two // two."""
    if up and x > 0:
        raise ValueError(f"{x} // {2}")
    return -(-x // 2) if up else x // 2 + (x >> 1) + (x >> 2 & 1)


def ends(y, common):
    middle = (y.lower + y.upper) // 2
    return floor(y.lower), ceil(y.upper), y.text.lower(), common // 3, middle
'''
# What is done at import, what a function does, and the same in other words.
POINT = 'was = "_POINT = operator.attrgetter($1)", becomes = "_POINT = str", ask = ["%s"]'
LIST = """\
entries = [
  {at = "pac_stability/data/sample.py", POINT},
  {at = "pac_stability/data/sample.py Sample.__eq__", was = "._labels ==", becomes = "._labels !="},
  {at = "pac_stability/data/sample.py Sample.__hash__", was = "hash($1)", becomes = "hash(($1))"},
  {at = "pac_stability/data/sample.py Sample.nothing", was = "1", becomes = "2"},
  {at = "pac_stability/data/sample.py Sample.__hash__", was = "hash($1)", becomes = "2 hash($1)"},
]
without = []
"""


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    if "PAC_STABILITY_EXPECT_INSTALLED" in os.environ:
        pytest.skip("it judges the source tree, and the wheel is tested; .ci/run does so apart")
    monkeypatch.syspath_prepend(ROOT)


def test_what_is_made_compiles_and_is_never_a_docstring_a_message_or_a_type() -> None:
    from tools.mutator.operators import made, mistakes
    from tools.mutator.source import Source

    source = Source("it.py", SOURCE)
    every = made(source, mistakes)
    kinds = {change.kind for change in every}
    assert {"comparison", "constant", "flag", "arithmetic", "connective"} <= kinds
    assert {"dropped condition", "dropped sign", "dropped statement", "direction"} <= kinds
    for change in every:
        compile(source.with_change(change), "it.py", "exec")
        line, wrong = source.line(change)
        assert wrong != line
        assert '"""' not in line
        assert wrong == "pass" or "raise" not in line
    assert {source.line(change) for change in every} >= {
        ("if up and x > 0:", "if up and x >= 0:"),
        ("if up and x > 0:", "if up or x > 0:"),
        ('raise ValueError(f"{x} // {2}")', "pass"),
    }


def test_every_rounding_is_turned_and_nothing_else() -> None:
    from tools.mutator.operators import made, turned
    from tools.mutator.source import Source

    source = Source("it.py", SOURCE)
    found = [(source.number(one.start), source.line(one)[1]) for one in made(source, turned)]
    line = "return -(-x // 2) if up else x // 2 + (x >> 1) + (x >> 2 & 1)"
    assert sorted(found) == sorted(
        [
            (10, line.replace("-(-x // 2)", "(x // 2)")),
            (10, line.replace("else x // 2", "else -(-x // 2)")),
            (10, line.replace("(x >> 1)", "(-(-x >> 1))")),
            (14, "middle = (y.upper + y.upper) // 2"),
            (14, "middle = (y.lower + y.lower) // 2"),
            *(
                (15, f"return {ends}, y.text.lower(), common // 3, middle")
                for ends in (
                    "ceil(y.lower), ceil(y.upper)",
                    "floor(y.upper), ceil(y.upper)",
                    "floor(y.lower), floor(y.upper)",
                    "floor(y.lower), ceil(y.lower)",
                )
            ),
        ]
    )


def test_an_entry_means_the_change_that_it_describes() -> None:
    from tools.mutator.entries import described, found
    from tools.mutator.operators import made, mistakes
    from tools.mutator.source import Source

    source = Source("it.py", SOURCE)
    for change in made(source, mistakes):
        again = found(described(change, source), source)
        assert again is not None
        assert source.key(again) == source.key(change)


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    from tools.mutator.entries import SURVIVORS, load, save

    entries, copied = load(SURVIVORS), tmp_path / "copied.toml"
    assert max(sum(one.at == other.at for other in entries) for one in entries) > 2
    copied.write_text("entries = [\n]\n# behind\n", encoding="utf-8")
    save(copied, reversed(entries))
    assert set(load(copied)) == set(entries)
    assert len(load(copied)) == len(entries) > copied.read_text("utf-8").count("\n")


def test_an_entry_outlives_what_is_renamed_and_what_stands_before_it() -> None:
    from tools.mutator.entries import Entry, found
    from tools.mutator.source import Source

    entry = Entry("it.py rounded", "@1 > 0", "@1 >= 0")
    renamed = re.sub(r"\bx\b", "number", SOURCE.replace('"""Two', '# One.\n    """Two'))
    for text in (SOURCE, renamed):
        source = Source("it.py", text)
        change = found(entry, source)
        assert change is not None
        assert source.line(change)[1].endswith(" >= 0:")
    # Never another place in silence, and nothing that fails for a name that there is not.
    assert found(entry, Source("it.py", SOURCE.replace("up and", "x > 0 and"))) is None
    assert found(Entry("it.py rounded", "@1 > 0", "@1 > z"), Source("it.py", SOURCE)) is None
    assert found(Entry("it.py other", "@1 > 0", "@1 >= 0"), Source("it.py", SOURCE)) is None
    # Nothing that is no program: the front reports it, and judges the others.
    assert found(Entry("it.py ends", "floor($1)", "2 floor($1)"), Source("it.py", SOURCE)) is None


def test_innocent_renames_leave_nothing_to_mend() -> None:
    """Twenty renames, of a local name or a private function, each in another file of the tables."""
    from tools.mutator.entries import PAPERS, TESTS, found, load, moved
    from tools.mutator.source import Source, is_name, read

    coins = random.Random(43)
    entries = [one for table in (TESTS, PAPERS) for one in load(table)]
    by_file: dict[str, list[str]] = {}
    for entry in entries:
        if entry.file.endswith(".py") and entry.function:
            by_file.setdefault(entry.file, []).append(entry.function)
    by_hand = []
    for file in coins.sample(sorted(by_file), 20):
        source = read(file)
        function = coins.choice(by_file[file])
        # A name that the function assigns; or itself, where it is private.
        body = "".join(token.text + " " for token in source.functions[function])
        names = [name for name in re.findall(r"(?<![.\w])(\w+) (?:=|in) ", body) if is_name(name)]
        last = function.rpartition(".")[2]
        names += [last] if last.startswith("_") and not last.startswith("__") else []
        if not names:
            continue
        name = coins.choice(sorted(set(names)))
        text = re.sub(rf"\b{name}\b", f"{name}_renamed", source.text)
        after = Source(file, text)
        by_hand += [
            (file, name, str(entry))
            for entry in entries
            if entry.file == file and found(entry, source)
            if not found(entry, after) and not moved(entry, source, [after])
        ]
    assert len({file for file, _, _ in by_hand}) <= 2, by_hand


def test_the_judge_tells_a_wrong_place_from_a_right_one(tmp_path: Path) -> None:
    listed = tmp_path / "list.toml"
    listed.write_text(LIST.replace("POINT", POINT % "tests/data/test_sample.py"), encoding="utf-8")
    program = (
        "import pathlib, sys\n"
        "from tools.mutator import __main__ as tool, judging\n"
        "tool.TESTS = pathlib.Path(sys.argv[1])\n"
        "judging.SESSION = pathlib.Path(sys.argv[1]).with_suffix('.json')\n"
        "tool.ROUNDS = (lambda _: ('tests/data/test_sample.py',),)\n"
        "sys.argv[1:] = ['tests', '--jobs', '1']\n"
        "sys.exit(tool.main())\n"
    )
    done = of_source_tree(program, str(listed))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "3 of 3 judged, 2 noticed, 1 survived, 2 stale" in done.stdout
    assert done.stdout.count("fits nothing any more: pac_stability/data/sample.py Sample.n") == 1
    assert "SURVIVED" in done.stdout


def test_a_wrong_formula_is_told_from_one_that_says_the_same(tmp_path: Path) -> None:
    listed = tmp_path / "list.toml"
    at = "pac_stability/notions/domination.py"
    program = (
        "import pathlib, re, sys\n"
        "from tools.mutator import judging\n"
        "from tools.mutator.source import Change, read\n"
        f"text = read({at!r}).text\n"
        "cases = []\n"
        "for was, becomes in (('yield 1 - of_h, 1 - of_g', 'yield of_g, of_h'),\n"
        "                     ('if exact > 1:', 'if 1 < exact:')):\n"
        "    start = text.index(was)\n"
        f"    change = Change({at!r}, start, start + len(was), becomes)\n"
        "    cases.append(judging.Case(change, ('DF20:definition-relation',)))\n"
        "print(sorted(one.how for one in judging.judge(cases)))\n"
    )
    done = of_source_tree(program, str(listed))
    assert done.stdout == "['1 asked', 'refuted']\n", done.stdout + done.stderr
