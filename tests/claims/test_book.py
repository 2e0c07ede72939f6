"""The book: what an entry must be, and that reading it imports no trial."""

import importlib
import pkgutil
import subprocess
import sys

import pytest

from pac_stability import InvalidInput, claims
from pac_stability.claims import Claim, Expectation, Kind, Method, Trial, Whose
from pac_stability.claims.book import Book, TrialsOf, books, read_book
from pac_stability.claims.search import path_to, require_relations
from shared_refusals import refuses

ENTRY = """
["BLM20:lemma-0"]
kind = "lemma"
title = "small"
statement = '''
For all n,
  n < \\infty.
'''
whose = "printed"
where = "Section I"
code = ["classes.FiniteClass"]
uses = ["DF20:lemma-4"]
trials = "literal"
"""
HEAD = """
[book]
key = "BLM20"
title = "An equivalence"
version = "FOCS 2020"
[book.sections]
"Section I" = "theorem 1, lemma 7"
"""
RECORDED = """
["BLM20:remark-0"]
kind = "remark"
title = "a limit"
statement = "As n grows."
whose = "ours"
method = "asymptotic"
expectation = "recorded"
code = ["classes.FiniteClass"]
note = "No constant is given."
"""


def book(text: str = "") -> Book:
    return read_book("pac_stability.books.bun_livni_moran", text + HEAD, "blm.toml")


def read(text: str) -> dict[str, Claim]:
    return dict(book(text).claims)


def refusal(text: str) -> str:
    with pytest.raises(InvalidInput) as caught:
        read(text)
    return str(caught.value)


def test_an_entry_becomes_a_claim() -> None:
    lemma, remark = read(ENTRY + RECORDED).values()
    assert (lemma.key, lemma.kind, lemma.whose) == ("BLM20:lemma-0", Kind.LEMMA, Whose.PRINTED)
    assert lemma.statement == r"For all n, n < \infty."  # a text breaks its lines anywhere
    assert (lemma.method, lemma.expectation) == (Method.EXACT, Expectation.HOLDS)
    assert (lemma.code, lemma.uses) == (("classes.FiniteClass",), ("DF20:lemma-4",))
    assert lemma.place == "FOCS 2020, Section I, Lemma 0"
    assert (lemma.latex, lemma.note, lemma.version) == ("", "", "FOCS 2020")
    assert (lemma.repaired_by, lemma.explicit) == (None, None)
    assert (remark.method, remark.expectation) == (Method.ASYMPTOTIC, Expectation.RECORDED)
    assert not remark.trials
    assert lemma.trials


@pytest.mark.parametrize(("old", "new", "said"), [
    ('kind = "lemma"', 'kind = "lema"', "kind: got 'lema', want one of definition, fact,"),
    ('kind = "lemma"', "kind = 3", "kind: got 3, want one of definition,"),
    ('whose = "printed"', 'whose = "theirs"', "whose: got 'theirs', want one of printed,"),
    ('title = "small"', 'title = ""', "title: got '', want a text"),
    ('title = "small"', "title = 7", "title: got 7, want a text"),
    ('title = "small"', "", "title: got nothing, want a text"),
    ('title = "small"', 'titel = "small"', "titel: got 'small', want a field: kind, title,"),
    ('kind = "lemma"', "", "kind: got nothing, want one of definition,"),
    ('["classes.FiniteClass"]', "[]", "code: got [], want different names below"),
    ('["classes.FiniteClass"]', '"x"', "code: got 'x', want different names below"),
    ('["classes.FiniteClass"]', "[1]", "code: got [1], want different names below"),
    ('["DF20:lemma-4"]', '["a", "a"]', "uses: got ['a', 'a'], want different keys of"),
    ('trials = "literal"', 'rocq = ["x"]', "rocq: got ['x'], want different theorems of the"),
    ('trials = "literal"', "", "trials: got nothing, want the module where they stand, or a"),
    ('where = "Section I"', "", "where: got BLM20:lemma-0, want the section where it stands"),
    (
        'trials = "literal"',
        'expectation = "fails as printed"\ntrials = "literal"',
        "repaired_by: got BLM20:lemma-0, want a repair exactly of what is refuted",
    ),
])  # fmt: skip
def test_what_an_entry_must_not_be(old: str, new: str, said: str) -> None:
    assert old in ENTRY
    assert refusal(ENTRY.replace(old, new)).startswith(f"blm.toml: BLM20:lemma-0: {said}")


@pytest.mark.parametrize("line", ['method = "asymptotic"', 'note = "No constant is given."'])
def test_an_entry_without_trials_needs_a_reason(line: str) -> None:
    said = refusal(RECORDED.replace(line, ""))
    assert said.startswith("blm.toml: BLM20:remark-0: trials: got nothing, want the module where")


def test_a_key_stands_once_and_is_of_the_paper() -> None:
    said = refusal(ENTRY + RECORDED + ENTRY)
    assert said.startswith("blm.toml: got Cannot declare ('BLM20:lemma-0',) twice (at line")
    assert "blm.toml: got Cannot overwrite a value" in refusal(ENTRY + 'title = "again"\n')
    said = refusal(ENTRY.replace("BLM20:lemma", "DF20:lemma"))
    assert said == "blm.toml: got 'DF20:lemma-0', want a key of BLM20"
    assert refusal("kind = 3") == "blm.toml: got 'kind', want a key of BLM20"
    said = refusal('"BLM20:lemma-0" = 3')
    assert said == "blm.toml: BLM20:lemma-0: got 3, want a table of fields"
    said = refusal(ENTRY.replace("lemma-0", "Lemma 0"))
    assert said.startswith("blm.toml: BLM20:Lemma 0: key: got 'BLM20:Lemma 0', want a paper's key")
    assert refusal("[").startswith("blm.toml: got ")


@pytest.mark.parametrize("field", ["uses", "repaired_by", "explicit"])
def test_what_a_claim_names_is_a_claim(field: str) -> None:
    named = {"uses": '["BLM20:lemma-99"]'}.get(field, '"BLM20:lemma-99"')
    entry = ENTRY.replace('uses = ["DF20:lemma-4"]\n', "") + f"{field} = {named}\n"
    if field == "repaired_by":
        entry += 'expectation = "fails as printed"\n'
    with pytest.raises(InvalidInput) as caught:
        require_relations(read(entry))
    said = f"BLM20:lemma-0: {field}: got 'BLM20:lemma-99', want the key of a claim"
    assert str(caught.value) == said


def test_no_claim_uses_itself() -> None:
    second = ENTRY.replace("lemma-0", "lemma-1").replace("DF20:lemma-4", "BLM20:lemma-0")
    found = read(ENTRY.replace("DF20:lemma-4", "BLM20:lemma-1") + second)
    refuses("BLM20:lemma-0 -> BLM20:lemma-1 -> BLM20:lemma-0", require_relations, found)


def test_trials_are_where_the_entry_says() -> None:
    (lemma,) = read(ENTRY.replace('"literal"', '"no_such_module"')).values()
    with pytest.raises(InvalidInput) as caught:
        len(lemma.trials)
    said = "BLM20:lemma-0: trials: got no module pac_stability.books.bun_livni_moran.no_such_module"
    assert str(caught.value).startswith(said)
    (lemma,) = read(ENTRY.replace('"literal"', '"frequent_outputs"')).values()
    with pytest.raises(InvalidInput, match=r"got none in pac_stability.*frequent_outputs"):
        lemma.trials[0]


def test_trials_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("pac_stability.books.bun_livni_moran.literal")
    known = claims.get("BLM20:lemma-12")
    monkeypatch.setattr(module, "TRIALS", {"BLM20:lemma-0": tuple(known.trials)}, raising=False)
    (lemma,) = read(ENTRY).values()
    refuses("a mutant that each trial must notice", len, lemma.trials)


def modules() -> dict[str, set[str]]:
    """The keys for which each module has trials."""
    found = {}
    for each in books().values():
        room = importlib.import_module(each.package)
        for part in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            keys = set(getattr(importlib.import_module(part.name), "TRIALS", ()))
            if keys:
                found[part.name] = keys
    return found


def test_every_trial_belongs_to_an_entry() -> None:
    wanted: dict[str, set[str]] = {}
    for claim in claims.all():
        if isinstance(claim.trials, TrialsOf):
            wanted.setdefault(claim.trials.module, set()).add(claim.key)
    assert modules() == wanted
    assert all(type(trial) is Trial for claim in claims.all() for trial in claim.trials)


def test_names_of_code_lead_somewhere() -> None:
    for claim in claims.all():
        assert all(path_to(name) for name in claim.objects)
    for name in ("classes.NoSuchClass", "no_such_room", "classes..", ""):
        refuses(r"code: got .*, want the name of an object below", path_to, name)


LOADED = """
import sys
from pac_stability.cli.app import main

code = main({arguments!r})
parts = ("dagan_feldman", "bun_livni_moran", "cummings_et_al")
rooms = tuple(f"pac_stability.claims.{{part}}." for part in parts)
print("loaded", *sorted(name for name in sys.modules if name.startswith(rooms)))
"""


@pytest.mark.parametrize(("arguments", "loaded"), [
    (["claims", "list"], []),
    (["claims", "find", "Lemma 12"], []),
    (["claims", "about", "FrequencyThreshold"], []),
    (["claims", "show", "BLM20:lemma-12"], ["frequent_outputs"]),
    (["claims", "show", "DF20:section-1.private-thresholds"], []),
    (["verify", "--only", "DF20:appendix-a.mixtures", "--cache", "none"], ["relation"]),
])  # fmt: skip
def test_no_trial_is_imported_that_is_not_asked_for(
    arguments: list[str], loaded: list[str]
) -> None:
    program = LOADED.format(arguments=arguments)
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    found = ran.stdout.splitlines()[-1].split()[1:]
    trials = {name for name in found if name in modules()}
    assert {name.rpartition(".")[2] for name in trials} >= set(loaded)
    assert bool(trials) == bool(loaded), found
    assert len(trials) <= 3  # a module of trials may take instances from another
