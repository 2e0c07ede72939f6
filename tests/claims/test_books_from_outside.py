"""Books of other packages: found by their entry points, run, cached by what they are."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pac_stability.claims.book import write_skeleton
from shared_refusals import refuses

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "fourth_book"


def installed(project: Path, place: Path) -> dict[str, str]:
    """An environment in which a project is found as if it were installed, without a network."""
    head = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = place / f"{head['name']}-{head['version']}.dist-info"
    info.mkdir(parents=True)
    named = f"Metadata-Version: 2.1\nName: {head['name']}\nVersion: {head['version']}\n"
    (info / "METADATA").write_text(named, encoding="utf-8")
    lines = []
    for group, entries in head["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    paths = [str(place), str(project), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def run(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pac_stability", *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_the_fourth_book_is_found_and_settled(tmp_path: Path) -> None:
    env = installed(EXAMPLE, tmp_path)
    done = run(env, "verify", "--only", "FHMM23:*", "--json", "--cache", "none")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["as_expected"]
    found = {entry["key"]: entry for entry in document["claims"]}
    assert len(found) == 10
    assert found["FHMM23:theorem-2"]["place"] == "COLT 2023, Section 2, Theorem 2"
    assert all(e["active"] > 0 for e in found.values() if e["status"] != "recorded")
    listed = run({**env, "COLUMNS": "100"}, "claims", "list").stdout.splitlines()
    assert [line.split(":")[0] for line in listed][-10:] == ["FHMM23"] * 10
    words = run(env, "claims", "find", "theorem 3 of filmus et al")
    assert words.stdout.startswith("FHMM23:theorem-3 ")
    shown = run(env, "claims", "show", "FHMM23:theorem-4")
    assert "filmus_et_al.recursion.dimension" in shown.stdout


def test_the_tests_of_the_fourth_book(tmp_path: Path) -> None:
    env = installed(EXAMPLE, tmp_path)
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=append",
    ]  # fmt: skip
    done = subprocess.run(
        [*command, "--rootdir", str(EXAMPLE), "-c", os.devnull, str(EXAMPLE / "tests")],
        env=env, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_a_skeleton_is_settled_as_it_is(tmp_path: Path) -> None:
    project = write_skeleton("XYZ26", tmp_path / "mine")
    env = installed(project, tmp_path / "site") | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = run(env, "verify", "--only", "XYZ26:lemma-1", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (entry,) = json.loads(done.stdout)["claims"]
    assert (entry["status"], entry["instances"], entry["tightest"]) == ("survived", 12, 1)
    assert entry["place"] == "The version whose numbers these are, Section 1, Lemma 1"
    again = run(env, "verify", "--only", "XYZ26:lemma-1").stdout
    assert "1 of 1 from the cache" in again
    # A book of others is asked again when it changes: it is no file of the library.
    trials = project / "book_xyz26" / "trials.py"
    trials.write_text(
        trials.read_text(encoding="utf-8").replace("n * n", "n + n"), encoding="utf-8"
    )
    changed = run(env, "verify", "--only", "XYZ26:lemma-1")
    assert changed.returncode == 1
    assert "COUNTEREXAMPLE: -2: -4 < -2" in changed.stdout


@pytest.mark.parametrize("key", ["xyz26", "XYZ", "XYZ26:a", "XYZ2026", "../XYZ26", ""])
def test_what_is_no_key_of_a_book(key: str, tmp_path: Path) -> None:
    refuses("capital letters and two digits", write_skeleton, key, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    refuses("one that is not there yet", write_skeleton, "XYZ26", tmp_path)


def test_the_command_writes_a_skeleton(tmp_path: Path) -> None:
    done = run(dict(os.environ), "claims", "new", "XYZ26", str(tmp_path / "mine"))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'mine'}\n")
    files = [p.relative_to(tmp_path / "mine").as_posix() for p in (tmp_path / "mine").rglob("*.*")]
    assert sorted(files) == [
        "book_xyz26/__init__.py",
        "book_xyz26/statements.toml",
        "book_xyz26/trials.py",
        "pyproject.toml",
    ]


@pytest.mark.parametrize(("old", "new", "said"), [
    ('key = "XYZ26"', 'key = "XYZ27"', "statements.toml: got 'XYZ26:lemma-1', want a key of"),
    ("XYZ26", "XYZ27", "the key XYZ27, want XYZ26, as it is entered"),
    ("[book]\n", "[books]\n", "statements.toml: book: key: got nothing, want capital letters"),
    ('"lemma 1"', '"lemma one"', "sections: got {'Section 1': 'lemma one'}, want for each"),
    ("version = ", "edition = ", "book: edition: got 'The version"),
])  # fmt: skip
def test_a_book_that_cannot_be_read(old: str, new: str, said: str, tmp_path: Path) -> None:
    project = write_skeleton("XYZ26", tmp_path / "mine")
    file = project / "book_xyz26" / "statements.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    done = run(installed(project, tmp_path / "site"), "claims", "list")
    assert done.returncode == 2
    assert said in done.stderr


def test_a_package_that_is_not_there_is_named(tmp_path: Path) -> None:
    project = write_skeleton("XYZ26", tmp_path / "mine")
    env = installed(project, tmp_path / "site")
    (project / "book_xyz26" / "statements.toml").unlink()
    done = run(env, "claims", "list")
    assert done.returncode == 2
    assert "book book_xyz26: got " in done.stderr


def test_the_page_shows_the_example() -> None:
    page = EXAMPLE.parents[1] / "how-to" / "write-a-book.md"
    blocks = re.findall(
        r"^```(?:toml|python)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S
    )
    files = [*EXAMPLE.rglob("*.py"), *EXAMPLE.rglob("*.toml")]
    code = "".join(file.read_text(encoding="utf-8") for file in files)
    assert len(blocks) == 2
    assert all(block.strip() in code for block in blocks)
