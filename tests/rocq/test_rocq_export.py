"""What is written for Rocq, and read back, without one."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pac_stability import Epsilon, audit, claims, data, dimensions, errors, rocq
from pac_stability.classes import FiniteClass, thresholds
from pac_stability.rocq import export
from shared_rocq import FILE, PAIRS, REFUSED_BY_THE_KERNEL, REFUSED_UNSEEN, subsets

ROOT = Path(__file__).parents[2]
ANIMALS = ROOT / "pac_stability" / "classes" / "shipped" / "animals.csv"

GOLDEN = """\
From Coq Require Import String List NArith QArith.
Import ListNotations.
Definition H : class := (rows [
"00000";
"10000";
"01000";
"00100";
"00010";
"00001";
"11000";
"10100";
"10010";
"10001";
"01100";
"01010";
"01001";
"00110";
"00101";
"00011"])%string.
Definition shattered_tree : tree := (Node 0 (Node 1 Leaf Leaf) (Node 1 Leaf Leaf))%N.
Definition upper_bound : refutation := (Sides [(0, true, Sides []); (1, true, Sides []); (2, true,
Sides []); (3, true, Sides []); (4, true, Sides [])])%N.
Theorem dimension : Littlestone H 2.
Proof. apply (by_certificate 5 H 2 shattered_tree upper_bound).
vm_cast_no_check (eq_refl true). Qed.
Print Assumptions dimension.
"""


def test_the_whole_text() -> None:
    """Header, the theory as it is, and these lines."""
    source = (rocq.THEORIES / "Ldim.v").read_text()
    head, found, rest = FILE.text.partition(source)
    assert found
    assert rest == f"(* ==== its end ==== *)\n{GOLDEN}"
    assert head.startswith(
        "(* The class H of 16 hypotheses on 5 points has Littlestone dimension 2.\n"
    )
    short = rocq.to_rocq(PAIRS, inline=False)
    assert short.text.endswith(f"*)\nFrom PacStability Require Import Ldim.\n{GOLDEN}")
    assert (short.words, short.statement) == (FILE.words, "Littlestone H 2")


def test_the_rows_are_those_of_the_csv(tmp_path: Path) -> None:
    """To be compared by eye: the same digits in the same order."""
    text = rocq.to_rocq(FiniteClass.from_csv(ANIMALS)).text
    digits = ["".join(re.findall(r",\s*([01])", line)) for line in ANIMALS.read_text().splitlines()]
    assert re.findall(r'^"([01]+)"', text, re.M) == list(dict.fromkeys(filter(None, digits)))
    rocq.to_rocq(PAIRS).save(tmp_path / "Pairs.v")
    assert (tmp_path / "Pairs.v").read_text() == FILE.text


def test_a_large_table_is_hexadecimal() -> None:
    H = FiniteClass(np.tri(400, 320, dtype=np.uint8))
    text = rocq.below(H, dimensions.refutation(H), inline=False).text
    numbers = text[text.index("([\n") :].partition("])%N.")[0].removeprefix("([\n").split(";\n")
    assert [int(number, 16) for number in numbers] == [
        sum(1 << x for x, label in enumerate(row) if label) for row in H.table
    ]
    assert '"' not in text


def test_one_side_alone() -> None:
    H = subsets(4, 2)
    for witness, stated in (
        (
            dimensions.MistakeTree(dimensions.Node(0, dimensions.Leaf(0), dimensions.Leaf(1))),
            "Ldim_ge H 1",
        ),
        (dimensions.vc(H).witness, "VC_ge H 2"),
        (dimensions.threshold(H).witness, "Threshold_ge H 2"),
    ):
        assert isinstance(
            witness, dimensions.MistakeTree | dimensions.ShatteredSet | dimensions.HalfGraph
        )
        assert rocq.at_least(H, witness).statement == stated
    assert rocq.below(H, dimensions.refutation(H, 4)).statement == "~ Ldim_ge H 4"


def test_what_the_class_does_not_have_is_refused() -> None:
    H = thresholds(3)
    for witness in (
        dimensions.MistakeTree(dimensions.Node(0, dimensions.Leaf(0), dimensions.Leaf(3))),
        dimensions.ShatteredSet((0, 1), (0, 1, 2, 3)),
        dimensions.HalfGraph((0,), (5,)),
    ):
        assert rocq_refuses(lambda witness=witness: rocq.at_least(H, witness)).startswith(
            "witness:"
        )
    assert "refuted" in rocq_refuses(
        lambda: rocq.below(subsets(9, 4), dimensions.refutation(PAIRS))
    )
    tree = dimensions.MistakeTree(dimensions.Node(0, dimensions.Leaf(0), dimensions.Leaf(1)))
    meets_not = rocq_refuses(lambda: rocq.exactly(PAIRS, tree, dimensions.refutation(PAIRS)))
    assert meets_not == "proof: got Ldim < 3, want Ldim < 2, as the tree has depth 1"
    empty = FiniteClass(np.zeros((0, 2), dtype=np.uint8))
    assert rocq_refuses(lambda: rocq.to_rocq(empty)).startswith("subject: got")
    assert "a mistake tree" in rocq_refuses(lambda: rocq.at_least(H, 3))  # type: ignore[arg-type]  # on purpose
    assert "a class" in rocq_refuses(lambda: rocq.to_rocq(3))  # type: ignore[arg-type]  # on purpose


def rocq_refuses(call: object) -> str:
    assert callable(call)
    with pytest.raises(errors.InvalidInput) as caught:
        call()
    return str(caught.value)


def test_a_refutation_that_grows_too_large_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.rocq.export.MAX_NODES", 5)
    with pytest.raises(errors.BudgetExhausted, match="more than 5 version spaces"):
        rocq.to_rocq(PAIRS)


def bits(share: Fraction) -> object:
    """Publish a bit that is right with this probability."""

    def answer(records: tuple[int, ...]) -> data.FiniteDistribution[str]:
        p = share if records[0] else 1 - share
        return data.FiniteDistribution({'yes "(*"': p, "no": 1 - p})

    return answer


def refuted(**claim: object) -> audit.AuditResult:
    return audit.differential_privacy(bits(Fraction(3, 4)), 2, 1, labelled=False, **claim)  # type: ignore[arg-type]  # claims of all kinds


def test_a_refuted_claim_has_its_laws_and_numbers() -> None:
    file = rocq.to_rocq(refuted(claim=Epsilon.exactly(2)), inline=False)
    assert file.statement == "is_law P /\\ is_law P' /\\ ~ indistinguishable (2 # 1) (0 # 1) P P'"
    laws = re.findall(r"law := \(\[(.*)\]\)%Q", file.text)
    assert sorted(laws) == ["1 # 4; 3 # 4", "3 # 4; 1 # 4"]
    assert "(* differential privacy; the outcomes are, in this order:\n  'yes '( *''\n" in file.text
    least = refuted(claim=Fraction(1, 8), epsilon=Epsilon.exactly(Fraction(3, 2)))
    assert "(3 # 2) (1 # 8) P P'" in rocq.to_rocq(least).statement
    gamma = audit.total_variation_stability(bits(Fraction(3, 4)), 2, 1, claim="1/4", labelled=False)  # type: ignore[arg-type]  # a law
    assert "(1 # 1) (1 # 4) P P'" in rocq.to_rocq(gamma).statement
    delta = refuted(claim=Epsilon.exactly(2), delta=Fraction(1, 10))
    assert "(2 # 1) (1 # 10) P P'" in rocq.to_rocq(delta).statement


def test_numbers_that_are_too_long_are_refused() -> None:
    p = Fraction(2**11_000 - 1, 2**11_000)
    result = audit.differential_privacy(bits(p), 2, 1, claim=Epsilon.exactly(2), labelled=False)  # type: ignore[arg-type]  # a law
    said = rocq_refuses(lambda: rocq.to_rocq(result))
    assert said == "subject: got numbers of 11001 bits, want at most 10000"


def test_what_is_not_refuted_is_not_exported() -> None:
    verified = refuted(claim=Epsilon.exactly(3))
    said = rocq_refuses(lambda: rocq.to_rocq(verified))
    assert said.startswith("subject: got verified, of differential-privacy, want one that refutes")
    assert "got verified" in rocq_refuses(lambda: rocq.to_rocq(refuted()))


@pytest.mark.usefixtures("no_coqc")
@pytest.mark.parametrize("file", ["whole", "by name", "vc", "threshold", "below", "laws", "large"])
def test_what_was_written_is_read_back(file: str, tmp_path: Path) -> None:
    """The statement is told although there is no Rocq, and why there is no answer."""
    H = subsets(4, 2)
    found_vc, found_threshold = dimensions.vc(H).witness, dimensions.threshold(H).witness
    assert isinstance(found_vc, dimensions.ShatteredSet)
    assert isinstance(found_threshold, dimensions.HalfGraph)
    large = FiniteClass(np.tri(400, 320, dtype=np.uint8))
    written = {
        "whole": lambda: FILE,
        "by name": lambda: rocq.to_rocq(PAIRS, inline=False),
        "vc": lambda: rocq.at_least(H, found_vc),
        "threshold": lambda: rocq.at_least(H, found_threshold),
        "below": lambda: rocq.below(H, dimensions.refutation(H)),
        "laws": lambda: rocq.to_rocq(refuted(claim=Epsilon.exactly(2))),
        "large": lambda: rocq.below(large, dimensions.refutation(large)),
    }[file]()
    written.save(tmp_path / "F.v")
    found = rocq.check(tmp_path / "F.v")
    assert (found.verdict, found.words, found.statement) == (
        "skipped",
        written.words,
        written.statement,
    )
    assert found.reason == "neither coqc nor rocq is installed (Debian and Ubuntu: apt install coq)"
    assert not found.proved


@pytest.mark.usefixtures("no_coqc")
@pytest.mark.parametrize("forgery", REFUSED_UNSEEN)
def test_a_forgery_is_refused_before_rocq_sees_it(forgery: str, tmp_path: Path) -> None:
    (tmp_path / "F.v").write_text(REFUSED_UNSEEN[forgery])
    found = rocq.check(tmp_path / "F.v")
    assert (found.verdict, found.words) == ("rejected", "")
    assert " in place of " in found.reason


@pytest.mark.usefixtures("no_coqc")
@pytest.mark.parametrize("forgery", REFUSED_BY_THE_KERNEL)
def test_the_others_need_the_kernel(forgery: str, tmp_path: Path) -> None:
    """These would be skipped: what refuses them in the other file is Rocq and nothing else."""
    (tmp_path / "F.v").write_text(REFUSED_BY_THE_KERNEL[forgery])
    assert rocq.check(tmp_path / "F.v").verdict == "skipped"


@pytest.mark.usefixtures("no_coqc")
def test_a_file_about_another_class_is_refused(tmp_path: Path) -> None:
    FILE.save(tmp_path / "F.v")
    order = np.random.default_rng(0).permutation(len(PAIRS))
    shuffled = FiniteClass(PAIRS.table[order])
    assert rocq.check(tmp_path / "F.v", about=shuffled).verdict == "skipped"
    for other in (subsets(5, 1), FiniteClass(PAIRS.table[1:]), FiniteClass(1 - PAIRS.table)):
        found = rocq.check(tmp_path / "F.v", about=other)
        assert (found.verdict, found.reason) == (
            "rejected",
            "another table in place of that of the class it should be about",
        )
    rocq.to_rocq(refuted(claim=Epsilon.exactly(2))).save(tmp_path / "F.v")
    assert rocq.check(tmp_path / "F.v", about=PAIRS).verdict == "rejected"


def test_theories_say_what_they_need() -> None:
    assert export.needs("Ldim") == ("Ldim",)
    assert export.needs("Witness") == ("Ldim", "Witness")
    assert "From PacStability" not in export.prelude("Witness", inline=True)
    assert "needs the" not in rocq_refuses(lambda: export.needs("Nothing"))
    assert "Soa.SOA_mistakes" in rocq.theorems()
    with pytest.raises(errors.InvalidInput, match=r"^name: got 'Soa\.nothing', want one of"):
        rocq.check_theorem("Soa.nothing")


@pytest.mark.usefixtures("no_coqc")
def test_a_theorem_without_rocq_is_skipped() -> None:
    assert rocq.check_theorem("Soa.SOA_mistakes").verdict == "skipped"


def test_the_book_names_theorems_that_are_there() -> None:
    named = {name for claim in claims.all() for name in claim.rocq}
    assert named
    assert named <= {*rocq.theorems()}


def test_the_page_on_lemma_12_shows_the_model_as_it_is() -> None:
    page = (ROOT / "docs" / "explanation" / "lemma-12.md").read_text()
    model = page.partition("```coq\n")[2].partition("```")[0]
    assert model in (rocq.THEORIES / "Tournaments.v").read_text()
    assert 60 < len(model.splitlines()) < 100
    repaired = page.partition("```text\nTheorem")[2].partition("```")[0]
    assert f"Theorem{repaired}" in (rocq.THEORIES / "Repaired.v").read_text()
    corollary = page.partition("```text\nCorollary")[2].partition("```")[0]
    for name in ("minus", "plus", "smallest_minus", "smallest_plus"):
        assert f"Corollary{corollary}" in (rocq.THEORIES / f"Lemma12_{name}.v").read_text()


def test_no_theory_assumes_anything() -> None:
    """A text cannot show that; it can show the commonest ways."""
    for file in rocq.THEORIES.glob("*.v"):
        words = set(re.findall(r"\w+", re.sub(r"\(\*.*?\*\)", "", file.read_text(), flags=re.S)))
        wrong = {"Axiom", "Parameter", "Conjecture", "Admitted", "admit", "Unset", "Reals"}
        assert not words & wrong, file
