"""The tools that judge the tests: what they say when something is wrong."""

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from shared_examples import loaded

ROOT = Path(__file__).parents[2]


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


@pytest.mark.parametrize("name", ["slow_properties.txt", "nightly.txt"])
def test_every_test_of_a_list_is_there(name: str) -> None:
    listed = (ROOT / "tests" / name).read_text(encoding="utf-8").splitlines()
    assert listed == sorted(set(listed))
    files = {path.name: path for path in (ROOT / "tests").rglob("test_*.py")}
    for line in listed:
        names = line.partition("[")[0].split()
        assert len(names) == len(set(names)), line
        file, *tests = re.split(r"::| ", " ".join(names))
        source = files[file].read_text(encoding="utf-8")
        for test in tests:  # or its class
            assert re.search(rf"^ *(def|class) {test}\b", source, re.MULTILINE), line


def test_what_is_said_of_a_library_has_a_command_that_repeats_it() -> None:
    asked = dict[str, int]()
    for page in (ROOT / "docs" / "libraries").glob("*.md"):
        needs, commands = loaded(ROOT / "tools" / "dev.py").said_of_libraries(page)
        assert "verified" not in page.read_text("utf-8").replace("nothing here is verified", "")
        assert not commands or "==" in needs[0]
        for command, code in commands:
            file, _, name = command.split()[1].partition("::")
            assert re.search(rf"^(def )?{name}\b", (ROOT / file).read_text("utf-8"), re.MULTILINE)
            asked[page.stem] = asked.get(page.stem, 0) + (code in (1, 3))
    assert asked.keys() == {"diffprivlib", "dp-ebm", "opendp", "pure-ldp", "smartnoise"}


def test_the_steps_of_ci_wait_for_steps_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    module = loaded(ROOT / "tools" / "ci.py")
    for nightly in (False, True):
        seen: set[str] = set()
        for step in module.steps(nightly=nightly):
            assert seen.issuperset(step.needs), step
            seen.add(step.name)
        assert "test" in seen
    for nightly, site in product((False, True), ("docs", "docs-read", "")):
        steps = {step.name: step.commands for step in module.steps(nightly=nightly, site=site)}
        assert steps.get("docs", (("",),))[0][-1] == ("docs" if nightly else site)
    for files, said in (
        (None, "docs"), ({"docs/conf.py", "README.md"}, "docs"), ({"README.md"}, "docs-read"),
        ({"tests/conftest.py"}, ""), ({"pac_stability/py.typed"}, ""),
    ):  # fmt: skip
        monkeypatch.setattr(module, "changed", lambda files=files: files)
        monkeypatch.setattr(module, "git", lambda *_: "")
        assert module.of_the_site() == said
    before = 'x = 1\n\n\ndef f(a):\n    """Words."""\n    return a\n'
    shown = module.shown
    assert shown("a.py", before) == shown("a.py", before.replace("return a", "return -a  # !"))
    for was, now in (("Words", "Others"), ("f(a)", "f(b)"), ("x = 1", "x = 2")):
        assert shown("a.py", before) != shown("a.py", before.replace(was, now))


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
