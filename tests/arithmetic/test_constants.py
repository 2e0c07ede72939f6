"""Whose constants: one enumeration, its words, and one default in the whole library."""

import importlib
import inspect
import pickle
import pkgutil
from dataclasses import MISSING, fields, is_dataclass

import pytest

import pac_stability
from pac_stability.arithmetic import Constants, as_constants
from pac_stability.errors import InvalidInput


@pytest.mark.parametrize(("word", "member"), [
    ("printed", Constants.PRINTED), ("paper", Constants.PRINTED), ("statement", Constants.PRINTED),
    ("proved", Constants.PROVED), ("repaired", Constants.PROVED), ("proof", Constants.PROVED),
    ("sharp", Constants.SHARP),
])  # fmt: skip
def test_words(word: str, member: Constants) -> None:
    assert as_constants(word) is as_constants(member) is Constants(word) is member
    assert pickle.loads(pickle.dumps(member)) is member  # noqa: S301  # our own


def test_a_member_is_its_word() -> None:
    assert list(Constants) == ["printed", "proved", "sharp"]
    assert [f"{member} {member!r}" for member in Constants] == [
        "printed Constants.PRINTED",
        "proved Constants.PROVED",
        "sharp Constants.SHARP",
    ]


@pytest.mark.parametrize("value", ["halfway", "Sharp", "", None, 1, ["sharp"], b"sharp"])
def test_other_words_are_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^kind: got .*, want 'printed', 'proved' or 'sharp'$"):
        as_constants(value, "kind")


def defaults() -> dict[str, object]:
    """The default of every parameter and field ``constants`` of the library."""
    found: dict[str, object] = {}
    for module in pkgutil.walk_packages(pac_stability.__path__, "pac_stability."):
        if not module.name.startswith(("pac_stability.papers.", "pac_stability.compression.")):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            members = [(name, value)]
            if inspect.isclass(value):
                members += [(f"{name}.{each}", method) for each, method in vars(value).items()]
                if is_dataclass(value):
                    found |= {
                        f"{value.__module__}.{name}": field.default
                        for field in fields(value)
                        if field.name == "constants"
                    }
            for place, member in members:
                function = getattr(member, "__func__", member)
                if inspect.isfunction(function):
                    parameter = inspect.signature(function).parameters.get("constants")
                    if parameter is not None and function.__name__ != "__init__":
                        found[f"{function.__module__}.{place}"] = parameter.default
    return found


def test_there_is_one_default() -> None:
    found = {place: default for place, default in defaults().items() if "._" not in place}
    said = {place for place, default in found.items() if default == Constants.SHARP}
    assert len(said) >= 30
    # Records of what was asked have no default, and a comparison has all words side by side.
    others = {place for place, default in found.items() if default is not MISSING} - said
    assert others == {"pac_stability.papers.dagan_feldman.sample_complexity.baseline_sizes.compare"}
