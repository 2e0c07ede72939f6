"""The user's algorithm is found, made and run; what goes wrong in it is named with its line."""

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pac_stability.cli.loading import load_subject
from pac_stability.errors import InvalidInput

pytestmark = pytest.mark.usefixtures("clean_imports")


def written(tmp_path: Path, code: str, name: str = "my_learner.py") -> Path:
    path = tmp_path / name
    path.write_text(dedent(code))
    return path


def refusal(text: str) -> str:
    with pytest.raises(InvalidInput) as refused:
        load_subject(text)
    return str(refused.value)


CODE = """\
    class Mean:
        def law(self, sample):
            return ("the law", sample)

    class Scaled(Mean):
        def __init__(self, factor):
            self.factor = factor

    class Callable:
        def __call__(self, sample, rng):
            return "called"

    mean = Mean()
    half = Scaled(0.5)

    def program(sample, rng):
        return "program"

    def factory():
        return half

    def with_default(scale=2):
        return Scaled(scale)
"""


def test_an_object_of_a_file_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, CODE)
    loaded = load_subject(f"{path}::program")
    assert callable(loaded)
    assert loaded(None, None) == "program"
    assert type(load_subject(f"{path}::mean")).__name__ == "Mean"


@pytest.mark.parametrize("name", ["Mean", "Callable", "factory", "with_default"])
def test_what_needs_no_arguments_is_called(tmp_path: Path, name: str) -> None:
    made = load_subject(f"{written(tmp_path, CODE)}::{name}")
    expected = {"factory": "Scaled", "with_default": "Scaled"}.get(name, name)
    assert type(made).__name__ == expected


def test_an_attribute_of_an_object_is_found(tmp_path: Path) -> None:
    assert load_subject(f"{written(tmp_path, CODE)}::half.factor") == 0.5


def test_an_object_of_a_module_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, CODE, "module_to_audit.py")
    monkeypatch.chdir(tmp_path)
    assert callable(load_subject("module_to_audit:program"))


def test_a_file_may_import_its_neighbours_and_itself(tmp_path: Path) -> None:
    written(tmp_path, "VALUE = 7\n", "neighbour_of_it.py")
    path = written(
        tmp_path,
        """\
        import dataclasses
        import neighbour_of_it

        @dataclasses.dataclass
        class Learner:
            value: int = neighbour_of_it.VALUE
            def law(self, sample): ...
        """,
    )
    assert getattr(load_subject(f"{path}::Learner"), "value", None) == 7


def test_a_file_with_the_name_of_a_module_hides_it_from_nobody(tmp_path: Path) -> None:
    import json

    path = written(tmp_path, "def learn(sample, rng): return 'mine'\n", "json.py")
    loaded = load_subject(f"{path}::learn")
    assert callable(loaded)
    assert loaded(None, None) == "mine"
    assert sys.modules["json"] is json
    with pytest.raises(InvalidInput, match="another name for the file"):
        load_subject(f"{path}::learn", travels=True)


def test_what_travels_can_be_imported_by_its_name(tmp_path: Path) -> None:
    path = written(tmp_path, "def learn(sample, rng): return 'mine'\n", "file_that_travels.py")
    for _ in range(2):  # again from the same file
        loaded = load_subject(f"{path}::learn", travels=True)
        assert getattr(loaded, "__module__", None) == "file_that_travels"
        assert sys.modules["file_that_travels"].learn is loaded
    assert sys.path[0] == str(tmp_path)


def test_a_file_is_read_anew(tmp_path: Path) -> None:
    first = written(tmp_path, "value = 1\n")
    assert load_subject(f"{first}::value") == 1
    other = tmp_path / "other"
    other.mkdir()
    assert load_subject(f"{written(other, 'value = 2')}::value") == 2


@pytest.mark.parametrize(("code", "line", "words"), [
    ("x = 1\ndef f(:\n    pass\n", 2, "SyntaxError: "),
    ("import os\nimport no_such_module_at_all\n", 2, "No module named"),
    ("def g():\n    return 1 / 0\n\ng()\n", 2, "ZeroDivisionError: division by zero"),
    ("import sys\n\nsys.exit('bye')\n", 3, "SystemExit: bye"),
    ("raise ValueError('two\\nlines')\n", 1, "ValueError: two lines"),
])  # fmt: skip
def test_an_error_in_the_file_is_named_with_its_line(
    tmp_path: Path, code: str, line: int, words: str
) -> None:
    path = written(tmp_path, code)
    message = refusal(f"{path}::f")
    assert message.startswith(f"{path}, line {line}: got ")
    assert words in message
    assert "\n" not in message


def test_a_syntax_error_in_a_neighbour_is_named_where_it_is_imported(tmp_path: Path) -> None:
    written(tmp_path, "x = (\n", "broken_neighbour.py")
    path = written(tmp_path, "import os\nimport broken_neighbour\n")
    message = refusal(f"{path}::f")
    assert message.startswith(f"{path}, line 2: got SyntaxError: ")
    assert "broken_neighbour.py" in message


def test_an_error_in_a_factory_is_named_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "def make():\n    raise KeyError('seed')\n")
    assert refusal(f"{path}::make").startswith(f"{path}, line 2: got KeyError: 'seed'")


def test_ctrl_c_during_the_import_is_not_swallowed(tmp_path: Path) -> None:
    path = written(tmp_path, "raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        load_subject(f"{path}::f")


def test_a_misspelt_name_is_answered_with_those_near_it(tmp_path: Path) -> None:
    message = refusal(f"{written(tmp_path, CODE)}::programm")
    assert "no object 'programm' in it (near it: program)" in message


@pytest.mark.parametrize(("end", "words"), [
    ("::Scaled", "a class that needs factor"),
    ("::", "want FILE.py::object"),
    ("", "want FILE.py::object"),
])  # fmt: skip
def test_no_algorithm(tmp_path: Path, end: str, words: str) -> None:
    assert words in refusal(f"{written(tmp_path, CODE)}{end}")


def test_no_file(tmp_path: Path) -> None:
    assert "no such file" in refusal(f"{tmp_path / 'none.py'}::f")
    assert "a directory" in refusal(f"{tmp_path}::f")
    assert "the extension '.txt'" in refusal(f"{written(tmp_path, '', 'learner.txt')}::f")
    assert "want FILE.py::object" in refusal("::f")
    assert "No module named" in refusal("no_such_module_at_all:f")
    assert "relative import" in refusal(".relative:f")


def test_slips_are_answered_with_what_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is what somebody types who has not read the page."""
    monkeypatch.chdir(written(tmp_path, CODE).parent)
    assert "my_learner.py has Mean, Scaled" in refusal("my_learner")
    assert "my_learner.py has Mean, Scaled" in refusal("my_learner.program")
    assert "no such file (near it: my_learner.py), want" in refusal("my_learner::program")
    assert "no such file (near it: my_learner.py), want" in refusal("mylearner.py::program")
    assert "made = Mean(), and my_learner.py::made.law" in refusal("my_learner.py::Mean.law")
    (tmp_path / "pkg").mkdir()
    written(tmp_path, "from . import other\n", "pkg/a.py")
    assert "want pkg.a:f, from the folder of pkg" in refusal("pkg/a.py::f")
    written(tmp_path, "{}", "n.ipynb")
    assert "jupyter nbconvert --to script n.ipynb writes one" in refusal("n.ipynb::f")


def test_an_error_names_the_algorithm(command: Callable[..., Any], tmp_path: Path) -> None:
    path = written(tmp_path, "def half(sample, point, rng):\n    return rng.bernoulli(0.5)\n")
    given = ("--notion", "private_prediction", "--domain", "2", "--n", "1", "--claim", "1")
    message = command("audit", f"{path}::half", *given).err
    assert f"error: {path}::half: got an error from half on the sample [(0, 0)]: p: " in message
    assert message.endswith("or Fraction(0.5) for the float's binary value\n")
