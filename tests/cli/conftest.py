"""Running the command in this process, and checking JSON against the published schema."""

import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy.random  # noqa: F401  # loaded late, and deleted below: it would come back as another
import pytest

from pac_stability.cli import main

SCHEMA_FILE = Path(__file__).parents[2] / "docs/reference/pac-stability.schema.json"
SCHEMA: Mapping[str, object] = json.loads(SCHEMA_FILE.read_text())
OF_CERTIFICATES = SCHEMA_FILE.with_name("audit-certificate.schema.json")
# What it refers to is its own.
OTHERS: Mapping[str, object] = {
    OF_CERTIFICATES.name: json.loads(
        OF_CERTIFICATES.read_text().replace('"#/', f'"{OF_CERTIFICATES.name}#/')
    )
}


@dataclass(frozen=True)
class Result:
    """What a command did."""

    code: int
    out: str
    err: str


Command = Callable[..., Result]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run ``pac-stability`` with these arguments, and perhaps some lines of input."""

    def run(*arguments: str | Path, stdin: str | io.StringIO = "") -> Result:
        given = io.StringIO(stdin) if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", given)
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture
def clean_imports(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a user's file leaves behind must not reach the next test."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in {name for name in sys.modules if not name.startswith("pac_stability")} - before:
        del sys.modules[name]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Thresholds on three named points: Ldim 2, VC 1, dual VC 1, threshold dimension 3."""
    path = tmp_path / "table.csv"
    path.write_text("low,middle,high\n0,0,0\n0,0,1\n0,1,1\n1,1,1\n")
    return path


def _faults(value: object, schema: Mapping[str, object], place: str) -> list[str]:
    """Everything in which ``value`` departs from ``schema``; an unknown keyword is a KeyError."""
    faults: list[str] = []
    for keyword, wanted in schema.items():
        faults += [
            f"{place}: {fault}" for fault in _KEYWORDS[keyword](value, wanted, schema, place)
        ]
    return faults


def _of_type(value: object, wanted: object) -> bool:
    if isinstance(value, bool):
        return wanted == "boolean"
    return {
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
        "string": isinstance(value, str),
        "integer": isinstance(value, int),
        "number": isinstance(value, int | float),
        "null": value is None,
        "boolean": False,
    }[str(wanted)]


Check = Callable[[object, object, Mapping[str, object], str], list[str]]


def _reference(value: object, wanted: object, __: Mapping[str, object], place: str) -> list[str]:
    file, _, path = str(wanted).partition("#")
    found: object = OTHERS[file] if file else SCHEMA
    for key in path.split("/")[1:]:
        assert isinstance(found, Mapping)
        found = found[key]
    assert isinstance(found, Mapping)
    return _faults(value, found, place)


def _one_of(value: object, wanted: object, _: Mapping[str, object], place: str) -> list[str]:
    assert isinstance(wanted, list)
    outcomes = [_faults(value, option, place) for option in wanted]
    if sum(not outcome for outcome in outcomes) == 1:
        return []
    return [f"matches {sum(not o for o in outcomes)} of the choices: {outcomes}"]


def _properties(value: object, wanted: object, _: Mapping[str, object], place: str) -> list[str]:
    assert isinstance(wanted, Mapping)
    if not isinstance(value, dict):
        return []
    return [
        fault
        for key, inner in wanted.items()
        if key in value
        for fault in _faults(value[key], inner, f"{place}.{key}")
    ]


def _additional(
    value: object, wanted: object, schema: Mapping[str, object], place: str
) -> list[str]:
    if not isinstance(value, dict):
        return []
    declared = schema.get("properties", {})
    assert isinstance(declared, Mapping)
    extra = [key for key in value if key not in declared]
    if wanted is False:
        return [f"field {key} is not described" for key in extra]
    assert isinstance(wanted, Mapping)
    return [fault for key in extra for fault in _faults(value[key], wanted, f"{place}.{key}")]


def _items(value: object, wanted: object, _: Mapping[str, object], place: str) -> list[str]:
    assert isinstance(wanted, Mapping)
    if not isinstance(value, list):
        return []
    return [
        fault
        for index, entry in enumerate(value)
        for fault in _faults(entry, wanted, f"{place}[{index}]")
    ]


def _names(value: object, wanted: object, _: Mapping[str, object], place: str) -> list[str]:
    assert isinstance(wanted, Mapping)
    return [
        fault
        for key in (value if isinstance(value, dict) else ())
        for fault in _faults(key, wanted, f"{place} key {key}")
    ]


def _listed(name: str, present: Callable[[object, object], bool]) -> Check:
    return lambda value, wanted, _, __: (
        [] if present(value, wanted) else [f"{value!r} against {name} {wanted!r}"]
    )


def _in(value: object, wanted: object) -> bool:
    assert isinstance(wanted, list)
    return value in wanted and not isinstance(value, bool)


def _all_there(value: object, wanted: object) -> bool:
    assert isinstance(wanted, list)
    return not isinstance(value, dict) or all(key in value for key in wanted)


def _at_least(value: object, wanted: object) -> bool:
    assert isinstance(wanted, int | float)
    return not isinstance(value, int | float) or value >= wanted


def _at_most(value: object, wanted: object) -> bool:
    assert isinstance(wanted, int | float)
    return not isinstance(value, int | float) or value <= wanted


_KEYWORDS: dict[str, Check] = {
    **dict.fromkeys(("$schema", "title", "$defs"), lambda *_: []),
    "$ref": _reference,
    "oneOf": _one_of,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "propertyNames": _names,
    "type": _listed("type", _of_type),
    "const": _listed("const", lambda value, wanted: value == wanted),
    "enum": _listed("enum", _in),
    "required": _listed("required", _all_there),
    "minimum": _listed("minimum", _at_least),
    "maximum": _listed("maximum", _at_most),
    "pattern": _listed(
        "pattern",
        lambda value, wanted: not isinstance(value, str) or bool(re.search(str(wanted), value)),
    ),
}


Validate = Callable[[str], dict[str, object]]


@pytest.fixture(scope="session")
def validate() -> Validate:
    """Parse a document and hold it against the schema."""

    def check(text: str) -> dict[str, object]:
        document = json.loads(text)
        assert isinstance(document, dict)
        choices = SCHEMA["oneOf"]
        faults = _one_of(document, choices, SCHEMA, "document")
        assert not faults, faults
        return document

    return check
