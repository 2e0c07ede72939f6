"""The tools that judge the tests: what they say when something is wrong."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = """\
import os, signal
import numbers_of_ours
def test_right(): assert numbers_of_ours.two() == 2
def test_wrong(): assert numbers_of_ours.two() == 3
def test_crash(): os.kill(os.getpid(), signal.SIGSEGV)
"""
JUDGE = """\
import sys
from pathlib import Path
from tools.mutants.forking import Child, wait
tree = Path(sys.argv[1])
for number, tests in enumerate(sys.argv[2:]):
    child = Child.start(tree, [tests], tree.parent / f"{number}.log", {})
    _, end = wait([child])
    print(end.outcome, end.failed)
"""
SWITCHES = """\
import sys
from tools.mutants.switches import NoSwitch, c_line, cython_line
for form, right, wrong in (line.split(" | ") for line in sys.stdin.read().splitlines()):
    try:
        print(*{"c": c_line, "cython": cython_line}[form](right, {7: wrong}), sep="; ")
    except NoSwitch:
        print("no switch")
"""


def run(program: str, *arguments: object, given: str = "") -> list[str]:
    """The lines that a program prints that knows the tools."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_a_child_says_how_its_tests_ended(tmp_path: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "numbers_of_ours.py").write_text("def two(): return 2\n", encoding="utf-8")
    (tree / "test_it.py").write_text(TESTS, encoding="utf-8")
    (tree / "test_lost.py").write_text("import nothing_of_that_name\n", encoding="utf-8")
    asked = ["test_it.py::test_right", "test_it.py::test_wrong", "test_it.py::test_crash"]
    assert run(JUDGE, tree, *asked, "test_it.py", "test_lost.py") == [
        "passed None",
        "failed test_it.py::test_wrong",
        "crashed with signal 11 None",
        "failed test_it.py::test_wrong",
        "did not load None",
    ]


def test_switches_hold_the_right_line_and_the_wrong_one() -> None:
    given = """\
cython | n = 1 | n = 2
cython | if a < b:  # why | if a <= b:
cython | cdef int n = f(1) | cdef int n = f(2)
cython | return f(a, | return f(b,
cython | if a: | while a:
c | n += 1; | n += 2;
c | if (a < b) | if (a <= b)
c | double x = a; | double x = b;
c | for (;;) { | for (;;) }"""
    assert run(SWITCHES, given=given) == [
        "if pac_mutant == 7:;     n = 2; else:;     n = 1",
        "if (pac_mutant == 7 and (a <= b)) or (pac_mutant != 7 and (a < b)):",
        "cdef int n = ((f(2)) if pac_mutant == 7 else (f(1)))",
        "no switch",
        "no switch",
        "{ if (pac_mutant == 7) { n += 2; } else { n += 1; } }",
        "if (pac_mutant == 7 ? (a <= b) : (a < b))",
        "double x = (pac_mutant == 7 ? (b) : (a));",
        "no switch",
    ]


@pytest.mark.parametrize("name", ["slow_properties.txt", "nightly.txt"])
def test_every_test_of_a_list_is_there(name: str) -> None:
    listed = (ROOT / "tests" / name).read_text(encoding="utf-8").splitlines()
    assert listed == sorted(set(listed))
    files = {path.name: path for path in (ROOT / "tests").rglob("test_*.py")}
    for line in listed:
        file, _, test = line.partition("[")[0].partition("::")
        source = files[file].read_text(encoding="utf-8")
        assert re.search(rf"^ *def {test.rpartition('::')[2]}\(", source, re.MULTILINE), line


def test_the_steps_of_ci_wait_for_steps_that_there_are() -> None:
    spec = importlib.util.spec_from_file_location("tools_ci", ROOT / "tools" / "ci.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for annotations
    spec.loader.exec_module(module)
    for nightly in (False, True):
        seen: set[str] = set()
        for step in module.steps(nightly=nightly):
            assert seen.issuperset(step.needs), step
            seen.add(step.name)
        assert "test" in seen
    assert "docs" not in {step.name for step in module.steps(nightly=False, site=False)}
    before = 'x = 1\n\n\ndef f(a):\n    """Words."""\n    return a\n'
    shown = module.shown
    assert shown("a.py", before) == shown("a.py", before.replace("return a", "return -a  # !"))
    for was, now in (("Words", "Others"), ("f(a)", "f(b)"), ("x = 1", "x = 2")):
        assert shown("a.py", before) != shown("a.py", before.replace(was, now))


def test_a_sample_is_every_so_many_th_and_each_one_in_some_commit() -> None:
    program = """
import subprocess, types
from tools import sampling
print(len(sampling.sampled(range(10), 3)) in (3, 4))
for commit in range(16):
    head = types.SimpleNamespace(stdout=f"{commit:040x}\\n")
    sampling.subprocess = types.SimpleNamespace(run=lambda *_, **__: head)
    print(*sampling.sampled(range(10), 4))
print(*sampling.sampled(range(10), 1))
"""
    real, *shares, whole = run(program)
    assert real == "True"
    assert whole == " ".join(map(str, range(10)))
    assert shares[:4] == ["0 4 8", "1 5 9", "2 6", "3 7"]
    assert shares == shares[:4] * 4


def test_lines_of_code_are_counted(tmp_path: Path) -> None:
    module = '''"""Words.

More.
"""
import os
from a import (
    b,
)

# why
def f():
    """Words."""
    return """a
    b"""
'''
    kernel = '''"""Words."""
#ifdef A  // why
/* words
   words */
cdef int a = 1  # why
# if a
'''
    files = {
        "pac_stability/errors.py": "",
        "pac_stability/room/it.py": module,
        "ext/it.pyx": kernel,
        "tests/list.txt": "a\nb\n",
        "tools/it.py": "\n",
        "tools/size.toml": "# Words.\nroom = { lines = 1, files = 1 }  # for a reason\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    program = """
import sys
from pathlib import Path
from tools import size
print(size.main([], Path(sys.argv[1])), file=sys.stderr)
print(size.main(["--set"], Path(sys.argv[1])))
"""
    *_, ended = run(program, tmp_path)
    assert ended == "0"
    assert (tmp_path / "tools" / "size.toml").read_text(encoding="utf-8").splitlines() == [
        "# Words.",
        "top = { lines = 0, files = 1 }",
        "room = { lines = 7, files = 1 }  # for a reason",
        "ext = { lines = 2, files = 1 }",
        "tests = { lines = 2, files = 1 }",
        "tools = { lines = 7, files = 2 }",
    ]


def test_every_mutant_fits_its_source() -> None:
    program = "from tools.mutants import entries as e; print(len(e.read(e.LIST)))"
    (number,) = run(program)
    assert int(number) > 200
