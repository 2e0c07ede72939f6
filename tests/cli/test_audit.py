"""``pac-stability audit`` from end to end: answers known by hand, exit codes, files, refusals."""

import json
import math
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pac_stability.audit import AuditResult, Counts, Instance, Notion, Verdict
from pac_stability.cli.app import build_parser
from pac_stability.cli.audit import exit_code, options_of
from pac_stability.cli.black_box import OPTIONS as BLACK_BOX
from pac_stability.cli.commands import NOTIONS, RELATIONS
from pac_stability.data import Adjacency, Neighbouring
from shared_refusals import refused

pytestmark = pytest.mark.usefixtures("clean_imports")


Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]

LEARNERS = '''\
from fractions import Fraction
from pac_stability import FiniteDistribution

def chosen(sample, point, rng):
    """The label of a random example: 1/n-stable, and not private."""
    print("noise of the user's own")
    return sample.labels[rng.below(len(sample))]

def flipped(sample, point, rng):
    """With probability 1/4 the other label: p = 1/4 + k/(2n) for k ones among n."""
    return chosen(sample, point, rng) ^ rng.bernoulli(Fraction(1, 4))

def noisy_count(records):
    """Randomised response on the first record: the factor is 3."""
    p = Fraction(3, 4) if records[0] else Fraction(1, 4)
    return FiniteDistribution({1: p, 0: 1 - p})

def raises(sample, point, rng):
    if sample.labels == (1, 0):
        raise RuntimeError("no such luck")
    return 0

def leaves(sample, point, rng):
    raise SystemExit(0)

def leaves_otherwise(sample, point, rng):
    raise GeneratorExit

def constant(sample):
    return FiniteDistribution.point_mass(0)

def no_law(sample):
    return {"a": 1.0}

def first(records):
    return FiniteDistribution.point_mass(records[0])

def reveal(records):
    return FiniteDistribution.point_mass(records)

def noisy(records, rng):
    return records[0] ^ rng.bernoulli(Fraction(1, 5))

class Zero:
    """The hypothesis that is 0 everywhere."""
    def __call__(self, point):
        return 0

ZERO = Zero()

def always_zero(sample):
    return FiniteDistribution.point_mass(ZERO)
'''


@pytest.fixture
def learners(tmp_path: Path) -> Path:
    path = tmp_path / "learners_to_audit.py"
    path.write_text(LEARNERS)
    return path


STABILITY = ("--notion", "uniform-stability", "--domain", "2", "--n", "2")
PREDICTION = ("--notion", "private-prediction", "--domain", "2", "--n", "2")
PRIVACY = ("--notion", "differential-privacy", "--unlabelled", "--domain", "2", "--n", "1")


def test_what_is_offered_is_what_there_is() -> None:
    offered = [*Neighbouring, Adjacency.EACH_ANSWER, Adjacency.ONE_ANSWER]
    assert tuple(relation.value for relation in offered) == RELATIONS
    assert tuple(notion.name for notion in Notion.all()) == NOTIONS


def test_every_option_has_a_meaning_for_some_notion() -> None:
    options = build_parser().parse_args(["audit", "f.py::g", "--notion", "accuracy", "--n", "1"])
    known = frozenset().union(*map(options_of, Notion.all())) | BLACK_BOX
    # What is not None from the start is no option of one notion.
    assert {name for name, value in vars(options).items() if value is None} - known == {
        *("claim", "claim_ratio", "json", "junit", "param")
    }


def test_the_least_delta_at_an_epsilon(
    command: Command, validate: Validate, learners: Path, tmp_path: Path
) -> None:
    """3/4 - 2/4 for randomized response, as ratio 2 and as epsilon = ln 2 rounded to 7/10."""
    proof = tmp_path / "proof.json"
    asked = ("audit", f"{learners}::noisy_count", *PRIVACY, "--certificate", proof)
    result = command(*asked, "--epsilon-ratio", "2", "--claim", "1/5")
    assert result.code == 1
    assert "value       delta = 1/4 (0.25)" in result.out
    assert "claim       delta at most 1/5 (0.2)" in result.out
    assert "e^epsilon   2" in result.out
    understood = "a function of (sample) that returns its law"
    first = f"{learners}::noisy_count: differential privacy at epsilon of {understood}"
    assert result.out.startswith(f"{first}\n")
    assert command("recheck", proof).code == 0
    assert "The first exceeds 2 times the second by 1/4 (0.25)" in command("explain", proof).out
    report = validate(command(*asked, "--epsilon", "0.7", "--json").out)
    assert report["notion"] == "differential-privacy-at-epsilon"
    ratio, delta = (Fraction(report["instance"]["epsilon_ratio"]), report["value"])
    assert Fraction(delta) == Fraction(3, 4) - ratio / 4
    for more in (("--delta", "1/4"), ("--claim-ratio", "3")):
        assert command(*asked, "--epsilon", "1", *more).code == 2
    wrong = ("--epsilon", "1")
    assert (
        "only with private-prediction"
        in command("audit", f"{learners}::chosen", *STABILITY, *wrong).err
    )


def test_zero_concentrated_privacy(
    command: Command, validate: Validate, learners: Path, tmp_path: Path
) -> None:
    """Randomized response at 3/4: rho = ln(3) / 2 = 0.5493."""
    proof = tmp_path / "proof.json"
    asked = (*PRIVACY[2:], "--certificate", proof, "--notion", "zero-concentrated-privacy")
    for claim, code in (("0.55", 0), ("0.549", 1)):
        result = command("audit", f"{learners}::noisy_count", *asked, "--claim", claim)
        assert (result.code, "rho between" in result.out) == (code, True)
        assert command("recheck", proof).code == 0
        assert "Renyi divergence of order 1" in command("explain", proof).out
    report = validate(command("audit", f"{learners}::noisy_count", *asked, "--json").out)
    assert (report["witness"]["order"], report["verdict"]) == ("1", "bounded")


def test_total_variation(command: Command, validate: Validate, learners: Path) -> None:
    asked = ("--notion", "total-variation-stability", "--unlabelled", "--domain", "2", "--n", "1")
    report = validate(command("audit", f"{learners}::noisy_count", *asked, "--json").out)
    assert (report["value"], report["verdict"]) == ("1/2", "verified")


@pytest.mark.parametrize(
    ("claim", "verdict", "code"),
    [((), "VERIFIED", 0), (("--claim", "1/2"), "VERIFIED", 0), (("--claim", "0.49"), "REFUTED", 1)],
)
def test_the_verdict_is_the_exit_code(
    command: Command, learners: Path, claim: tuple[str, ...], verdict: str, code: int
) -> None:
    result = command("audit", f"{learners}::chosen", *STABILITY, *claim)
    assert result.code == code
    assert command("audit", f"{learners}:chosen", *STABILITY, *claim).out == result.out
    lines = result.out.splitlines()
    understood = "a program of (sample, point, coins)"
    assert lines[0] == f"{learners}::chosen: uniform stability of {understood}"
    told = dict(line.split(maxsplit=1) for line in lines[2 : lines.index("", 2)])
    assert told["value"] == "gamma = 1/2 (0.5)"
    assert told["verdict"].startswith(f"{verdict}: ")
    # 4 examples in 2 places, each replaced by 3 others.
    assert told["examined"] == "16 samples, 96 pairs of neighbours, 2 points, 2 outcomes"


def test_what_the_user_prints_stays_out_of_the_answer(command: Command, learners: Path) -> None:
    result = command("audit", f"{learners}::chosen", *STABILITY)
    assert "noise of the user's own" in result.err
    assert "noise" not in result.out


def test_json_tells_the_same(command: Command, validate: Validate, learners: Path) -> None:
    # p = 1/4 + k/4: from 1/2 to 1/4 is a factor of 2.
    result = command("audit", f"{learners}::flipped", *PREDICTION, "--claim", "0.5", "--json")
    assert result.code == 1
    report = validate(result.out)
    assert report["value"] == "2"
    assert math.log(Fraction(report["claim"])) == pytest.approx(0.5)
    assert (report["verdict"], report["notion"]) == ("refuted", "private-prediction")
    assert report["counts"] == {"datasets": 16, "pairs": 96, "points": 2, "outcomes": 2}
    witness = report["witness"]
    here, there = (
        sum(Fraction(p) for y, p in witness[law] if y in witness["event"])
        for law in ("law", "neighbour_law")
    )
    assert here == 2 * there
    changed = [
        (a, b) for a, b in zip(witness["sample"], witness["neighbour"], strict=True) if a != b
    ]
    assert len(changed) == 1
    assert changed[0][0][1] != changed[0][1][1]


def test_an_infinite_value_is_json_too(
    command: Command, validate: Validate, learners: Path
) -> None:
    result = command("audit", f"{learners}::chosen", *PREDICTION, "--json", "--claim", "3")
    assert result.code == 1
    assert validate(result.out)["value"] == "infinity"


@pytest.mark.parametrize(("claim", "code"), [
    (("--claim-ratio", "3"), 0),
    (("--claim-ratio", "2.99"), 1),
    # log 3 = 1.098612...
    (("--claim", "1.0987"), 0),
    (("--claim", "1.0986"), 1),
    (("--delta", "1/4", "--claim-ratio", "2"), 0),  # (3/4 - 1/4) / (1/4) = 2
    (("--delta", "1/4", "--claim-ratio", "1.999"), 1),
    (("--delta", "1/2", "--claim", "0"), 0),
])  # fmt: skip
def test_a_claim_is_read_exactly(
    command: Command, learners: Path, claim: tuple[str, ...], code: int
) -> None:
    assert command("audit", f"{learners}::noisy_count", *PRIVACY, *claim).code == code


def test_points_and_relation_and_symmetry_are_heeded(
    command: Command, validate: Validate, learners: Path
) -> None:
    report = validate(
        command(
            *("audit", f"{learners}::flipped", "--notion", "private-prediction", "--n", "2"),
            *("--domain", "a,b", "--points", "b,", "--symmetric", "--json"),
        ).out
    )
    assert report["instance"]["points"] == ["b"]
    assert report["instance"]["symmetry"] == "declared"
    assert [point for point, _ in report["instance"]["universe"]] == ["a", "a", "b", "b"]
    # Multisets of 2 out of 4 examples.
    assert report["counts"]["datasets"] == 10
    report = validate(
        command(
            *("audit", f"{learners}::constant", "--notion", "differential-privacy", "--n", "1"),
            *("--domain", "2", "--unlabelled", "--relation", "add-remove", "--json"),
        ).out
    )
    assert report["instance"]["relation"] == "add-remove"
    assert report["instance"]["universe"] == [0, 1]
    assert report["instance"]["sizes"] == [0, 1]
    assert report["schema"] == "pac-stability/audit-certificate/3"


SIZES = """
from fractions import Fraction

def noisy(records, rng):
    return rng.bernoulli(Fraction(1 + sum(records) % 2, 3))

def breaks_on_nothing(records, rng):
    return noisy(records, rng) if records else 7

def only_for_two(records, rng):
    assert len(records) <= 2
    return noisy(records, rng)
"""


@pytest.mark.parametrize("asked", [
    ("breaks_on_nothing", "3", "0 to 3", 1), ("breaks_on_nothing", "1..3", "1 to 3", 0),
    ("only_for_two", "2", "0 to 2", 0), ("noisy", "2..4", "2 to 4", 0), ("noisy", "0", "0", 3),
])  # fmt: skip
def test_where_rows_come_and_go_all_sizes_up_to_n_are_asked(
    tmp_path: Path, command: Command, asked: tuple[str, str, str, int]
) -> None:
    subject, n, printed, code = asked
    (tmp_path / "sizes.py").write_text(SIZES)
    certificate = tmp_path / "certificate.json"
    done = command(
        *("audit", f"{tmp_path / 'sizes.py'}::{subject}", "--notion", "differential-privacy"),
        *("--unlabelled", "--domain", "2", "--relation", "add-remove", "--claim", "1", "--n", n),
        *("--certificate", certificate),
    )
    assert done.code == code
    assert f"n           {printed}\n" in done.out
    if certificate.exists():
        assert command("recheck", certificate).code == 0
        assert json.loads(certificate.read_text())["instance"]["n"] == int(n[-1])


@pytest.mark.parametrize(
    "wrong", [("2..1",), ("x..2",), ("1..2", "--relation", "replace-one"), ("1..2", "--black-box")]
)
def test_other_sizes_are_refused(tmp_path: Path, command: Command, wrong: tuple[str, ...]) -> None:
    (tmp_path / "sizes.py").write_text(SIZES)
    done = command(
        *("audit", f"{tmp_path / 'sizes.py'}::noisy", "--notion", "differential-privacy"),
        *("--unlabelled", "--domain", "2", "--n", *wrong),
    )
    assert done.code == 2
    assert "--n" in done.err


ON_RECORDS = ("--unlabelled", "--distribution")
FAIR = (*ON_RECORDS, "uniform", "--domain", "2")
COIN = ("--n", "2", "--distribution", "a:0=1/2,a:1=1/2")


@pytest.mark.parametrize(("asked", "value"), [
    # The first of two draws is b with probability 2/3.
    (("first", "global-stability", "--n", "2", *ON_RECORDS, "a=1/3,b=2/3"), "2/3"),
    # k of 3 tosses are heads: |k/3 - 1/2| is 1/2 with probability 1/4, and 1/6 otherwise.
    (("reveal", "robust-generalization", "--n", "3", "--delta", "1/4", *FAIR), "1/6"),
    # The laws (4/5, 1/5) and (1/5, 4/5): the best simulator is fair, (1/2) / (1/5) = 5/2.
    (("noisy", "perfect-generalization", "--n", "1", *FAIR), "5/2"),
    # The error is 1/2, that on the sample 0, 1/2 or 1 with probabilities 1/4, 1/2 and 1/4.
    (("always_zero", "generalization", *COIN, "--beta", "0.49"), "1/2"),
    (("always_zero", "generalization", *COIN, "--beta", "1/2"), "0"),
    (("always_zero", "accuracy", *COIN), "1/2"),
])  # fmt: skip
def test_notions_on_a_distribution(
    command: Command, validate: Validate, learners: Path, asked: tuple[str, ...], value: str
) -> None:
    name, *rest = asked
    result = command("audit", f"{learners}::{name}", "--notion", *rest, "--json")
    assert result.code == 0
    report = validate(result.out)
    assert report["value"] == value
    assert report["witness"]["kind"] == "laws"
    assert report["instance"]["distribution"]


@pytest.mark.parametrize(("claim", "code"), [("2/3", 0), ("0.6", 0), ("0.67", 1)])
def test_global_stability_is_claimed_from_below(
    command: Command, learners: Path, claim: str, code: int
) -> None:
    asked = ("--notion", "global-stability", "--n", "2", *ON_RECORDS, "a=1/3,b=2/3")
    result = command("audit", f"{learners}::first", *asked, "--claim", claim)
    assert result.code == code
    assert "eta at least" in result.out


def test_a_group_is_further_apart(command: Command, validate: Validate, learners: Path) -> None:
    # Two records decide in turn: a factor 3 for one of them, and 9 for both.
    code = """\
from fractions import Fraction
from pac_stability import FiniteDistribution

def both(records):
    laws = [FiniteDistribution({r: Fraction(3, 4), 1 - r: Fraction(1, 4)}) for r in records]
    return laws[0].product(laws[1])
"""
    learners.write_text(code)
    asked = ("--notion", "differential-privacy", "--unlabelled", "--domain", "2", "--n", "2")
    for more, value in (((), "3"), (("--group", "2"), "9")):
        report = validate(command("audit", f"{learners}::both", *asked, *more, "--json").out)
        assert report["value"] == value
        assert report["instance"]["group_size"] == (2 if more else 1)


def test_every_report_is_written(command: Command, learners: Path, tmp_path: Path) -> None:
    result = command(
        *("audit", f"{learners}::flipped", *PREDICTION, "--claim", "0.5"),
        *("--certificate", tmp_path / "c.json", "--junit", tmp_path / "j.xml"),
        *("--html", tmp_path / "h.html"),
    )
    assert result.code == 1
    document = json.loads((tmp_path / "c.json").read_text())
    assert document["schema"] == "pac-stability/audit-certificate/2"
    suites = ET.fromstring((tmp_path / "j.xml").read_bytes())  # noqa: S314  # our own
    assert suites[0].get("failures") == "1"
    assert (tmp_path / "h.html").read_text().startswith("<!DOCTYPE html>")


def test_a_certificate_is_written_to_a_device_and_does_not_replace_it(
    command: Command, learners: Path, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        asked = ("audit", f"{learners}::flipped", *STABILITY, "--certificate", pipe)
        assert command(*asked).code == 0
        document = json.loads(os.read(reader, 1 << 16))
    finally:
        os.close(reader)
    assert document["schema"] == "pac-stability/audit-certificate/2"
    assert pipe.is_fifo()


@pytest.mark.parametrize(("claim", "verdict"), [("0.1", "refuted"), ("9", "bounded")])
def test_what_a_stopped_audit_saw_is_no_exact_value(
    command: Command, validate: Validate, learners: Path, claim: str, verdict: str
) -> None:
    learners.write_text(
        """\
from fractions import Fraction

def endless(sample, point, rng):
    while sample.labels == (1, 1) and rng.below(2):
        pass
    return rng.bernoulli(Fraction(1 + sum(sample.labels), 4))
"""
    )
    asked = ("audit", f"{learners}::endless", *PREDICTION, "--claim", claim, "--json")
    report = validate(command(*asked).out)
    assert report["verdict"] == verdict
    assert report["value"] == "2"
    assert "the value is a lower bound" in report["note"]


def test_nothing_examined_has_no_exact_value(
    command: Command, validate: Validate, learners: Path
) -> None:
    asked = ("audit", f"{learners}::flipped", *PREDICTION, "--n", "0", "--json")
    report = validate(command(*asked).out)
    assert (report["verdict"], report["witness"]) == ("skipped", None)


def test_outputs_that_overwrite_one_another_are_refused(
    command: Command, learners: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("audit", f"{learners}::flipped", *STABILITY)
    before = learners.read_text()
    refused(command(*asked, "--certificate", learners), "--certificate", "SUBJECT")
    assert learners.read_text() == before
    refused(command(*asked, "--junit", "one", "--html", tmp_path / "one"), "--html", "--junit")
    assert command(*asked, "--junit", "/dev/null", "--html", "/dev/null").code == 0


def test_a_learner_that_raises_is_named_with_the_sample(command: Command, learners: Path) -> None:
    result = command("audit", f"{learners}::raises", *STABILITY)
    refused(result, "no such luck", "raises", "[(0, 1), (0, 0)]")
    line = LEARNERS.split("\n").index('        raise RuntimeError("no such luck")') + 1
    assert f"{learners}, line {line} raised RuntimeError" in result.err
    # The four samples before it differ in their second element: no gap was seen.
    assert "before that: at least: gamma = 0 (4 samples, 12 pairs" in result.err


def test_a_failure_keeps_the_checkpoint(command: Command, learners: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "kept.json"
    # Samples of 6 examples: it fails on number 6.
    asked = (
        *("audit", f"{learners}::raises", *STABILITY),
        *("--domain", "3", "--checkpoint", checkpoint),
    )
    result = command(*asked)
    refused(result, "no such luck")
    assert f"{checkpoint} has the answers so far" in result.err
    # The repaired learner is another one, and asked about the samples before the failure, too.
    learners.write_text(
        """\
def raises(sample, point, rng):
    if (sample.points, sample.labels) == ((0, 1), (0, 1)):
        raise RuntimeError("asked again")
    return 0
"""
    )
    result = command(*asked)
    refused(result, "asked again")
    assert (
        "the checkpoint is of other code: the module learners_to_audit changed since" in result.err
    )
    assert Path(f"{checkpoint}.old").exists()
    # Nobody changed it since, and what its answers depend on besides its code did not change.
    kept = checkpoint.read_bytes()
    refused(command(*asked), "asked again")
    assert checkpoint.read_bytes() == kept


def test_a_learner_that_exits_is_no_success(command: Command, learners: Path) -> None:
    result = command("audit", f"{learners}::leaves", *STABILITY)
    refused(result, "SystemExit(0)")
    assert "on the sample [(0, 0), (0, 0)]" in result.err


def test_what_no_learner_should_raise_is_no_refutation(command: Command, learners: Path) -> None:
    # Python itself ends with exit code 1 when this is not caught.
    refused(command("audit", f"{learners}::leaves_otherwise", *STABILITY), "GeneratorExit()")


def test_the_bytes_for_tables_are_limited(command: Command, learners: Path) -> None:
    result = command("audit", f"{learners}::flipped", *STABILITY, "--max-memory", "10")
    assert (result.code, result.out) == (3, "")
    assert "--max-memory 10" in result.err


def test_a_refutation_is_made_smaller(command: Command, validate: Validate, learners: Path) -> None:
    # With one example p is 1/4 or 3/4, a factor of 3, so samples of size 1 refute as well.
    result = command(
        "audit", f"{learners}::flipped", *PREDICTION, "--claim-ratio", "1.5", "--shrink", "--json"
    )
    assert result.code == 1
    report = validate(result.out)
    assert (report["instance"]["n"], len(report["instance"]["universe"])) == (1, 2)
    assert report["value"] == "3"
    assert report["note"] == (
        "shrunk; as given (n = 2 and 4 elements): e^epsilon = 2, epsilon = 0.693147"
    )


@pytest.mark.parametrize(("arguments", "words"), [
    (("chosen", "--notion", "uniform-stability", "--n", "2"), "--domain"),
    (("chosen", *STABILITY, "--delta", "1/2"), "--delta"),
    (("chosen", *STABILITY, "--claim-ratio", "2"), "--claim-ratio"),
    (("chosen", *STABILITY, "--claim", "2"), "claim: got 2, want an exact number from 0 to 1"),
    (("noisy_count", *PRIVACY, "--points", "1"), "--points"),
    (("noisy_count", *PRIVACY, "--beta", "1/2"), "--beta"),
    (("noisy_count", *PRIVACY, "--claim", "-1"), "non-negative"),
    (("noisy_count", *PRIVACY, "--claim-ratio", "1/2"), "at least 1"),
    (("no_law", *PRIVACY), "FiniteDistribution"),
    (("first", "--notion", "global-stability", "--n", "2"), "--distribution"),
    (("chosen", *STABILITY, "--distribution", "uniform"), "--distribution"),
    (("first", "--notion", "accuracy", *COIN, "--group", "2"), "--group"),
    (("LEARNERS", *PRIVACY), "no object"),
    (("chosen", *STABILITY, "--json", "--html", "/nowhere/at/all.html"), "/nowhere"),
])  # fmt: skip
def test_bad_input_is_one_line(
    command: Command, learners: Path, arguments: tuple[str, ...], words: str
) -> None:
    name, *rest = arguments
    refused(command("audit", f"{learners}::{name}", *rest), words)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--claim", "one"), ("--claim", "1/0"), ("--claim", "nan"), ("--claim", "1e9999"),
        ("--delta", "1.5"), ("--delta", "-0.1"), ("--n", "-1"), ("--n", "2.5"),
        ("--notion", "privacy"), ("--relation", "remove"), ("--processes", "0"),
        ("--time-limit", "0"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_by_its_option(
    command: Command, learners: Path, option: str, value: str
) -> None:
    given = [*PREDICTION, option, value]
    result = command("audit", f"{learners}::chosen", *given)
    assert (result.code, result.out) == (2, "")
    assert option in result.err
    assert value in result.err


def test_nothing_examined_is_no_success(command: Command, learners: Path) -> None:
    # Samples of size 0 have no neighbours by replacement.
    result = command(
        *("audit", f"{learners}::constant", "--notion", "differential-privacy", "--n", "0"),
        *("--domain", "2", "--claim", "1"),
    )
    assert result.code in {2, 3}
    assert "VERIFIED" not in result.out


@pytest.mark.parametrize(
    ("verdict", "datasets", "code"),
    [
        (Verdict.VERIFIED, 1, 0), (Verdict.VERIFIED, 0, 3), (Verdict.REFUTED, 1, 1),
        (Verdict.BOUNDED, 1, 3), (Verdict.SUPPORTED, 1, 3), (Verdict.SKIPPED, 0, 3),
    ],
)  # fmt: skip
def test_exit_codes(verdict: Verdict, datasets: int, code: int) -> None:
    result = AuditResult(
        Instance(Notion.ACCURACY, (), 0),
        Fraction(0),
        verdict,
        None,
        Counts(datasets=datasets, pairs=0, points=0, outcomes=0),
    )
    assert exit_code(result) == code


def test_outputs_may_be_told_apart_as_they_are_written(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "typed.py"
    file.write_text("def typed(sample, rng):\n    return True if sample.labels[0] else 1\n")
    asked = ("audit", f"{file}::typed", "--domain", "1", "--n", "1", "--claim", "1")
    equal = command(*asked, "--notion", "differential-privacy", "--deterministic")
    assert equal.code == 0
    assert "not written alike: 1 and True" in equal.out.replace("\n            ", " ")
    assert command(*asked, "--notion", "differential-privacy", "--as-written").code == 1
    refused = command(*asked, "--notion", "private-prediction", "--as-written")
    assert refused.code == 2
    assert "--as-written: got it with private-prediction" in refused.err


ESTIMATOR = '''\
class Shares:
    """Probabilities are shares of labels, smoothed: 1/5 and 4/5 on three; its predictions jump."""

    def fit(self, X, y):
        from fractions import Fraction
        self.one = Fraction(1 + int(sum(y)), 2 + len(y))
        return self

    def predict(self, X):
        return [int(2 * self.one > 1) for _ in X]

    def predict_proba(self, X):
        return [[1 - self.one, self.one] for _ in X]
'''


@pytest.mark.parametrize(("method", "gamma"), [((), "1"), (("--method", "predict_proba"), "1/5")])
def test_an_estimator_is_asked_by_the_method_that_is_named(
    command: Command, tmp_path: Path, method: tuple[str, ...], gamma: str
) -> None:
    path = tmp_path / "shares_of_labels.py"
    path.write_text(ESTIMATOR)
    # One label of three moves (1 + k) / 5 by 1/5, and the prediction from 0 to 1.
    asked = ("--notion", "uniform-stability", "--domain", "1", "--n", "3")
    done = command("audit", f"{path}::Shares", *asked, *method)
    assert done.code == 0
    assert f"gamma = {gamma}" in done.out


FUSSY = """\
class Fussy:
    def fit(self, X, y):
        if len(set(y)) < 2:
            raise ValueError("two classes, please")
    def predict(self, X):
        return [1 for _ in X]
"""


def test_an_error_of_an_estimator_is_an_outcome_where_that_is_asked(
    command: Command, tmp_path: Path
) -> None:
    path, kept = tmp_path / "fussy.py", tmp_path / "kept.json"
    path.write_text(FUSSY)
    asked = ("audit", f"{path}::Fussy", "--notion", "uniform-stability", "--domain", "1", "--n")
    stopped = command(*asked, "3")
    assert stopped.code == 2
    assert "--on-error outcome" in stopped.err
    done = command(*asked, "3", "--on-error", "outcome", "--certificate", kept)
    assert done.code == 0
    assert "gamma = 1" in done.out
    assert "at point     'it answers'" in done.out
    assert command("recheck", kept, "--against", f"{path}::Fussy").code == 0
    # Of one example each, no sample can be learned from: then nothing would be audited.
    refused(command(*asked, "1", "--on-error", "outcome"), "on every sample")


def test_a_method_is_asked_of_estimators_about_predictions(
    command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "not_an_estimator.py"
    path.write_text("def first(sample):\n    return 0\n")
    asked = ("audit", f"{path}::first", "--domain", "1", "--n", "1", "--method", "predict")
    refused(command(*asked, "--notion", "differential-privacy"), "--method")
    refused(command(*asked, "--notion", "uniform-stability"), "method: got")
