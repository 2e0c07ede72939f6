"""``recheck`` and ``explain``: what a certificate shows, and what is refused."""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pac_stability import audit, data, errors
from shared_refusals import refused

pytestmark = pytest.mark.usefixtures("clean_imports")


Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]

CODE = """\
from fractions import Fraction
from pac_stability import FiniteDistribution

print("noise of the user's own")

def answer(records):
    p = Fraction(3, 4) if records[0] else Fraction(1, 4)
    return FiniteDistribution({"yes": p, "no": 1 - p})

def other(records):
    p = Fraction(4, 5) if records[0] else Fraction(1, 5)
    return FiniteDistribution({"yes": p, "no": 1 - p})
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    path = tmp_path / "answers_to_audit.py"
    path.write_text(CODE)
    return path


@pytest.fixture
def certificate(command: Command, code: Path, tmp_path: Path) -> Path:
    """The factor of randomised response with 3/4 is 3, so log 2 is refuted."""
    path = tmp_path / "proof.json"
    done = command(
        *("audit", f"{code}::answer", "--notion", "differential-privacy", "--unlabelled"),
        *("--domain", "2", "--n", "1", "--claim-ratio", "2", "--certificate", path),
    )
    assert done.code == 1
    return path


def test_a_sound_certificate(command: Command, certificate: Path) -> None:
    result = command("recheck", certificate)
    assert (result.code, result.err) == (0, "")
    first, rest = result.out.split("\n", 1)
    assert first == f"{certificate}: a sound certificate of differential-privacy, REFUTED"
    proved, _, trusted = rest.partition("\nnot proved\n")
    assert "3/4 (0.75)" in proved
    assert "1/4 (0.25)" in proved
    assert "at least 3" in proved
    assert "so the claim 2 fails" in proved
    assert "that the laws are those of the mechanism" in trusted


def test_asking_the_algorithm_again_proves_more(
    command: Command, validate: Validate, certificate: Path, code: Path
) -> None:
    alone = validate(command("recheck", certificate, "--json").out)
    against = command("recheck", certificate, "--json", "--against", f"{code}::answer")
    assert against.code == 0
    assert "noise" not in against.out
    report = validate(against.out)
    assert len(report["proved"]) == len(alone["proved"]) + 1
    assert len(report["trusted"]) == len(alone["trusted"]) - 1
    assert (report["value"], report["claim"], report["refutes"]) == ("3", "2", True)


def test_another_algorithm_is_refused(command: Command, certificate: Path, code: Path) -> None:
    refused(command("recheck", certificate, "--against", f"{code}::other"), "4/5")


@pytest.mark.parametrize("verb", ["recheck", "explain"])
def test_a_bad_certificate_is_refused_with_a_reason(
    command: Command, certificate: Path, verb: str, tmp_path: Path
) -> None:
    text = certificate.read_text()
    certificate.write_text(text[: len(text) // 2])
    refused(command(verb, certificate), "truncated")
    certificate.write_text(text.replace('"3/4"', '"2/3"'))
    refused(command(verb, certificate), "sha256")
    refused(command(verb, tmp_path / "none.json"), "no such file")


def test_the_story_has_both_samples_and_the_ratio(command: Command, certificate: Path) -> None:
    result = command("explain", certificate)
    assert (result.code, result.err) == (0, "")
    assert "[1]" in result.out
    assert "[0]" in result.out
    for words in ("3/4 (0.75)", "1/4 (0.25)", "e^epsilon = 3", "the claim fails"):
        assert words in result.out


def test_the_page_of_a_certificate_is_that_of_its_audit(
    command: Command, certificate: Path, code: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    assert command("explain", certificate, "--html", page).code == 0
    command(
        *("audit", f"{code}::answer", "--notion", "differential-privacy", "--unlabelled"),
        *("--domain", "2", "--n", "1", "--claim-ratio", "2", "--html", tmp_path / "audit.html"),
    )
    audited = (tmp_path / "audit.html").read_text()
    assert page.read_text().replace(str(certificate), f"{code}::answer") == audited


def test_the_certificate_holds_the_exact_laws(certificate: Path) -> None:
    witness = json.loads(certificate.read_text())["witness"]
    assert sorted(Fraction(p) for _, p in witness["law"]) == [Fraction(1, 4), Fraction(3, 4)]


def test_a_verdict_that_is_not_proved_is_no_success(
    command: Command, validate: Validate, code: Path, tmp_path: Path
) -> None:
    path = tmp_path / "kept.json"
    done = command(
        *("audit", f"{code}::answer", "--notion", "differential-privacy", "--unlabelled"),
        *("--domain", "2", "--n", "3", "--claim-ratio", "3", "--certificate", path),
    )
    assert done.code == 0
    sound = command("recheck", path)
    assert sound.code == 0
    assert sound.out.startswith(f"{path}: a sound certificate of differential-privacy, VERIFIED\n")
    assert "on all samples of size 3 over 2 elements" in sound.out
    assert validate(command("recheck", path, "--json").out)["proven"] is True
    assert "This meets the claim." in command("explain", path).out
    assert command("recheck", path, "--against", f"{code}::answer").code == 0
    document = json.loads(path.read_text()) | {"answers": None}
    path.write_text(json.dumps(document | {"sha256": audit.certificates.digest(document)}))
    unproved = command("recheck", path)
    assert unproved.code == 3
    first, rest = unproved.out.split("\n", 1)
    assert first == (f"{path}: differential-privacy, VERIFIED is NOT PROVED by this certificate")
    assert "that nothing else is worse: the search speaks of 8 datasets and 24 pairs" in rest
    as_json = command("recheck", path, "--json")
    assert (as_json.code, validate(as_json.out)["proven"]) == (3, False)
    assert "This meets the claim, but does not prove it." in command("explain", path).out


def test_every_law_of_a_certificate_is_asked_for_again(
    command: Command, code: Path, tmp_path: Path
) -> None:
    """Two algorithms that differ on one sample alone, which is none of the witness."""
    rare = "def rare(records):\n    return (other if all(records) else answer)(records)\n"
    code.write_text(f"{CODE}\n{rare}")
    path = tmp_path / "kept.json"
    done = command(
        *("audit", f"{code}::answer", "--notion", "differential-privacy", "--unlabelled"),
        *("--domain", "2", "--n", "3", "--certificate", path),
    )
    assert done.code == 0
    assert [1, 1, 1] not in json.loads(path.read_text())["witness"].values()
    refused = command("recheck", path, "--against", f"{code}::rare")
    assert refused.code == 2
    assert "on the sample (1, 1, 1)" in refused.err


@pytest.fixture
def dimensions(command: Command, tmp_path: Path) -> Path:
    path = tmp_path / "dimensions.json"
    assert command("dims", "--family", "thresholds:3", "--certificate", path).code == 0
    return path


def test_a_certificate_of_dimensions_is_checked_against_its_table(
    command: Command, validate: Validate, dimensions: Path
) -> None:
    alone = command("recheck", dimensions)
    refused(alone, "want --against TABLE, the class that it is about: thresholds:3")
    assert (
        f"pac-stability recheck {dimensions} --against TABLE" in command("explain", dimensions).out
    )
    result = command("recheck", dimensions, "--against", "thresholds:3")
    proved, _, trusted = result.out.partition("not proved")
    # Littlestone's upper bound has a refutation in the file, the others have none.
    assert "the Littlestone dimension is at least 2" in proved
    assert "the Littlestone dimension is at most 2" in proved
    assert "the VC dimension is at least 1" in proved
    assert "the VC dimension is at most 1" in trusted
    assert result.code == 3
    report = validate(command("recheck", dimensions, "--against", "thresholds:3", "--json").out)
    assert report["dimensions"]["littlestone"]["upper_proved"] is True
    refused(command("recheck", dimensions, "--against", "thresholds:4"), "bit for bit")


@pytest.mark.parametrize(("place", "value"), [
    (("lower",), 3),  # the tree has depth 2
    (("upper",), 1),  # the refutation is of level 3
    (("witness", "point"), 0),  # another tree, which is not shattered
    (("witness",), "a tree"),
    (("lower",), "2"),
])  # fmt: skip
def test_a_wrong_certificate_of_dimensions_is_refused(
    command: Command, dimensions: Path, place: tuple[str, ...], value: object
) -> None:
    document = json.loads(dimensions.read_text())
    found = document["dimensions"]["littlestone"]
    for name in place[:-1]:
        found = found[name]
    assert found[place[-1]] != value
    found[place[-1]] = value
    dimensions.write_text(json.dumps(document))
    refused(command("recheck", dimensions, "--against", "thresholds:3"), "littlestone")


PREDICTS, OUTPUTS = "private-prediction", "differential-privacy"
VACUOUS = ("vacuous", "is NOT PROVED")
WORDS = """
def label(sample, point):
    return sample.labels[0]

def leaks_at_one(sample, point):
    return sample.labels[0] if point else 0

class Always:
    def __init__(self, labels):
        self.labels = labels

    def __eq__(self, other):
        return isinstance(other, Always)

    def __hash__(self):
        return 7

def one_outcome(sample, rng):
    return Always(sample.labels) if rng.below(2) else Always(())

def one_number(sample, rng):
    return 7 + 0 * rng.below(2)
"""


@pytest.mark.parametrize("asked", [
    ("label", PREDICTS, ("--delta", "1"), 3, ["delta = 1", *VACUOUS]),
    ("leaks_at_one", PREDICTS, ("--points", "0,"), 0, ["points 0 alone", "nothing is said at"]),
    ("one_outcome", OUTPUTS, (), 3, ["one object, by an equality", *VACUOUS]),
    ("one_number", OUTPUTS, (), 0, []),
    ("label", "uniform-stability", ("--claim", "1"), 3, ["of any is at most 1", *VACUOUS]),
])  # fmt: skip
def test_what_a_certificate_is_about_is_said(
    command: Command, tmp_path: Path, asked: tuple[str, str, tuple[str, ...], int, list[str]]
) -> None:
    subject, notion, options, code, words = asked
    (tmp_path / "words.py").write_text(WORDS)
    named, path = f"{tmp_path / 'words.py'}::{subject}", tmp_path / "c.json"
    command(
        *("audit", named, "--notion", notion, "--domain", "2", "--n", "2"),
        *("--claim", "1/2", "--certificate", path, *options),
    )
    for against in ((), ("--against", named)):
        done = command("recheck", path, *against)
        assert done.code == code
        for word in (*words, "samples of size 2 over 4 examples", "at most "):
            assert word in done.out


def test_an_order_that_was_only_said_proves_nothing_until_all_orders_are_asked() -> None:
    def law(records: tuple[int, ...]) -> data.FiniteDistribution[object]:
        p = Fraction(1 + sum(records), 5)
        return data.FiniteDistribution({0: p, 1: 1 - p})

    def ordered(records: tuple[int, ...]) -> data.FiniteDistribution[object]:
        return law((0, 0) if records == (1, 0) else records)

    document = audit.certificates.to_document(
        audit.differential_privacy(law, 2, 2, claim=1, labelled=False, symmetric=True)
    )
    alone = audit.again.recheck(document)
    assert (alone.proven, alone.but_for_order) == (False, True)
    asked = audit.again.recheck(document, against=law)
    assert asked.proven
    assert asked.proved[-1] == "and on all orders of each of them"
    assert not any("the order of a sample makes" in told for told in asked.trusted)
    with pytest.raises(errors.InvalidInput, match="other laws on"):
        audit.again.recheck(document, against=ordered)
    assert not audit.again.recheck(document, against=law, max_steps=3_999).proven


def test_examples_that_are_left_out_are_said() -> None:
    class First:
        def probabilities(self, sample: data.Sample[int], points: Sequence[int]) -> list[Fraction]:
            return [Fraction(sample.labels[0])] * len(points)

    labels = [data.Example(x, 0) for x in range(2)]
    found = audit.uniform_stability(First(), labels, 1, claim=0, labelled=False, points=[0, 1])
    told = audit.again.recheck(audit.certificates.to_document(found)).about
    assert "not all examples: some points come with one of the labels alone" in told


def test_the_story_of_a_certificate_of_dimensions(command: Command, dimensions: Path) -> None:
    told = command("explain", dimensions)
    assert told.code == 0
    for words in ("of thresholds:3: 4 hypotheses on 3 points", "at least 2", "at most 1. The file"):
        assert words in told.out
    refused(command("explain", dimensions, "--html", "x.html"), "--html")
    dimensions.write_text(dimensions.read_text().replace('"littlestone"', '"height"'))
    refused(command("explain", dimensions), "height")
