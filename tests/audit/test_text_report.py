"""The words in which numbers, samples and witnesses are told."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteDistribution, Multiset, Neighbouring, Sample, audit, checker
from pac_stability.arithmetic.interval import decimal, digits, exact, logarithm
from pac_stability.audit.again import explain
from pac_stability.audit.certificates import to_document
from pac_stability.audit.notions.notion import Instance, Notion, Symmetry
from pac_stability.audit.reports.text import MOST_ROWS, audit_to_text, differing, value_in_words
from pac_stability.audit.results import AuditResult, Counts, LawsWitness, PairWitness, Verdict
from pac_stability.randomness import ExactGenerator


@given(st.fractions(), st.integers(0, 6000))
def test_all_digits_are_there(number: Fraction, power: int) -> None:
    large = number * 10**power
    top, _, bottom = digits(large).partition("/")
    # int() refuses so many digits at once.
    value = sum(int(c) * 10**k for k, c in enumerate(reversed(top.lstrip("-"))))
    sign = -1 if top.startswith("-") else 1
    assert Fraction(sign * value, int(bottom or 1)) == large


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
def test_six_digits_are_those_of_the_float(number: Fraction) -> None:
    assert float(decimal(number)) == pytest.approx(float(number), rel=5.1e-6)


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=10**6))
def test_the_logarithm_is_that_of_the_float(number: Fraction) -> None:
    assert logarithm(number) == pytest.approx(math.log(float(number)), rel=1e-12, abs=1e-12)


def test_a_factor_close_to_one_keeps_its_digits() -> None:
    # log(1 + x) = x - x^2/2 + ..., where log(float(1 + x)) would be 0.
    assert logarithm(1 + Fraction(1, 10**20)) == pytest.approx(1e-20, rel=1e-12, abs=0)


def test_a_factor_beyond_all_floats_is_told() -> None:
    # 2^5000 = 1.41247e1505, log(2^5000) = 5000 log 2 = 3465.7359.
    words = value_in_words(Notion.DIFFERENTIAL_PRIVACY, Fraction(2**5000))
    assert words.endswith("(1.41247E+1505), epsilon = 3465.74")
    assert len(words) < 100


def test_long_fractions_are_shortened_and_short_ones_are_not() -> None:
    assert exact(Fraction(10**40 + 1, 3 * 10**40)) == "10000000...0001/30000000...0000 (0.333333)"
    assert exact(Fraction(-2, 3)) == "-2/3 (-0.666667)"


@pytest.mark.parametrize(("first", "second", "left", "right"), [
    ("abc", "abc", "", ""), ("abc", "xbc", "a", "x"), ("aab", "abb", "a", "b"),
    ("ab", "aab", "", "a"), ("abc", "ab", "c", ""), ("abcd", "xbcy", "ad", "xy"),
    ("", "a", "", "a"),
])  # fmt: skip
def test_what_differs_is_marked(first: str, second: str, left: str, right: str) -> None:
    places = differing(tuple(first), tuple(second))
    assert "".join(first[i] for i in sorted(places[0])) == left
    assert "".join(second[i] for i in sorted(places[1])) == right


@given(st.lists(st.integers(0, 2), max_size=6), st.integers(0, 6), st.integers(0, 2))
def test_what_is_not_marked_is_shared(kept: list[int], place: int, entry: int) -> None:
    longer = (*kept[:place], entry, *kept[place:])
    left, right = differing(tuple(kept), longer)
    assert (len(left), len(right)) == (0, 1)
    assert [z for i, z in enumerate(longer) if i not in right] == kept


def pair(outcomes: int) -> AuditResult:
    p: FiniteDistribution[object] = FiniteDistribution.uniform(range(outcomes))
    q: FiniteDistribution[object] = FiniteDistribution.point_mass(0)
    return AuditResult(
        Instance(
            Notion.DIFFERENTIAL_PRIVACY,
            ("a", "b"),
            2,
            delta=Fraction(1, 10),
            relation=Neighbouring.ADD_REMOVE,
            group_size=2,
            symmetry=Symmetry.SHOWN,
        ),
        math.inf,
        Verdict.REFUTED,
        PairWitness(("a", "b"), ("a",), None, p, q, tuple(range(1, outcomes)), math.inf),
        Counts(datasets=1_234_567, pairs=2, points=0, outcomes=outcomes),
        claim=Fraction(3),
        note="a\x1b[31m remark",
    )


def test_the_report_of_a_pair() -> None:
    assert audit_to_text(pair(3), "f.py::g\n").splitlines() == [
        "f.py::g: differential privacy",
        "",
        "samples of  'a'  'b'",
        "n           0 to 2",
        "neighbours  add-remove",
        "groups of   2",
        "delta       1/10 (0.1)",
        "value       epsilon infinite: no finite one is enough",
        "claim       epsilon at most 1.09861 (a factor of 3)",
        "examined    1,234,567 samples up to order (shown not to matter), 2 pairs of neighbours, "
        "3 outcomes",
        "verdict     REFUTED: the claim fails, as the witness shows",
        "note        a?[31m remark",
        "",
        "witness",
        "sample       'a'  ['b']",
        "neighbour    'a'",
        "event        {1, 2}: probability 2/3 (0.666667) on the sample, 0 on its neighbour",
        "",
        "outcome      on the sample   on its neighbour",
        "1 *          1/3 (0.333333)  0",
        "2 *          1/3 (0.333333)  0",
        "0            1/3 (0.333333)  1",
    ]


def test_a_long_table_says_how_much_is_left_out() -> None:
    lines = audit_to_text(pair(100), "it").splitlines()
    assert lines[-1] == f"... and {100 - MOST_ROWS} more"
    assert any("... (99 outcomes)" in line for line in lines)


def test_the_report_of_all_laws() -> None:
    law: FiniteDistribution[object] = FiniteDistribution.uniform(["h", "g"])
    witness = LawsWitness(
        laws=((Multiset.of("ab"), law), (Sample(["x"], [1]), law)),
        strategy=(("h", Fraction(1, 2)), ("g", ("a", "b")), ("f", ())),
        value=Fraction(1, 2),
    )
    text = audit_to_text(
        AuditResult(
            Instance(
                Notion.GLOBAL_STABILITY,
                ("a", "b"),
                2,
                distribution=FiniteDistribution({"a": Fraction(1, 3), "b": Fraction(2, 3)}),
            ),
            Fraction(1, 2),
            Verdict.VERIFIED,
            witness,
            Counts(datasets=3, pairs=0, points=0, outcomes=2),
            claim=Fraction(1, 2),
        ),
        "it",
    )
    assert "distribution  'a': 1/3  'b': 2/3\n" in text
    assert "claim         eta at least 1/2 (0.5)\n" in text
    assert "examined      3 samples, 2 outcomes\n" in text
    assert text.endswith(
        """
most frequent output
'h'                   1/2 (0.5)
'g'                   'a'  'b'
'f'                   nothing

sample       law of the output
'a'  'b'     'h': 1/2 (0.5), 'g': 1/2 (0.5)
('x', 1)     'h': 1/2 (0.5), 'g': 1/2 (0.5)
"""
    )


def half_float(sample: Sample[int], rng: ExactGenerator) -> int:
    """Randomized response with a float that is a little too large."""
    p = math.exp(1) / (1 + math.exp(1))
    return sample.labels[0] if rng.random() < p else 1 - sample.labels[0]


def test_a_claim_that_fails_by_rounding_says_by_how_much_and_what_to_write() -> None:
    found = audit.differential_privacy(half_float, 1, 1, claim=1)
    text = str(found)
    # p / (1 - p) = 6584790284608189 / 2422408970132803 exceeds e by 8.5E-17 of it.
    assert "epsilon = 1.000000000000000085" in text
    assert "epsilon at most 1 (" in text
    said = "fails by 8.5E-17 in epsilon, the size of the rounding of a float"
    assert said in text
    assert said in explain(found)
    assert "fails, by 2.3e-16, the size" in " ".join(checker.recheck(to_document(found)).proved)
    advised = text.partition("with a claim of ")[2].split()[0]
    assert audit.differential_privacy(half_float, 1, 1, claim=advised).verdict is Verdict.VERIFIED
    exact = audit.differential_privacy(half_float, 1, 1, claim="9/10")
    assert "the claim fails, as the witness shows" in str(exact)
