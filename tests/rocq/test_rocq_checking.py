"""What Rocq says of files, forged ones among them, and what is believed of what it says."""

import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pac_stability import Epsilon, FiniteClass, FiniteDistribution, InvalidInput, audit, rocq
from pac_stability.dimensions import (
    HalfGraph,
    ShatteredSet,
    refutation,
    shattered_tree,
    threshold,
    vc,
)
from pac_stability.rocq import checking
from pac_stability.rocq.checking import CLOSED
from pac_stability.rocq.export import OPENING, as_numbers, prelude, written_tree
from shared_rocq import FILE, REFUSED_BY_THE_KERNEL, subsets

ANIMALS = FiniteClass.from_file("animals")


SLOW = ("Lemma12_", "Repaired.", "Observation11.")
"""Theories that take more than a few seconds."""


def judged(file: rocq.RocqFile, folder: Path, about: FiniteClass | None = None) -> rocq.Judgement:
    file.save(folder / "F.v")
    return rocq.check(folder / "F.v", about=about)


@pytest.mark.usefixtures("coqc")
def test_the_animals(tmp_path: Path) -> None:
    found = judged(rocq.to_rocq(ANIMALS), tmp_path, ANIMALS)
    assert found == rocq.Judgement(
        "proved",
        "the class H of 36 hypotheses on 16 points has Littlestone dimension 4",
        "Littlestone H 4",
    )
    assert found.proved


@pytest.mark.usefixtures("coqc")
@pytest.mark.parametrize("forgery", REFUSED_BY_THE_KERNEL)
def test_a_forgery_is_rejected_by_the_kernel(forgery: str, tmp_path: Path) -> None:
    (tmp_path / "F.v").write_text(REFUSED_BY_THE_KERNEL[forgery])
    found = rocq.check(tmp_path / "F.v")
    assert found.verdict == "rejected"
    axiom = forgery == "an axiom of the standard library"
    assert found.reason.startswith(
        "it rests on more than the kernel: Axioms:" if axiom else "Rocq: "
    )


@pytest.mark.parametrize("proof", [
    "native_cast_no_check (eq_refl true)",
    "try (native_cast_no_check\n(eq_refl true))",
    "exact (ltac:(native_compute; reflexivity))",
    "(* (* *) *) native_compute; reflexivity",
    "let x := eval native_compute in 1 in exact I",
])  # fmt: skip
def test_no_proof_is_for_the_native_compiler(proof: str) -> None:
    text = f"Theorem t : true = true. Proof. {proof}. Qed."
    with pytest.raises(InvalidInput, match="not for the native compiler"):
        list(checking._sentences(text))
    assert len(list(checking._sentences(text.replace("native_", "vm_")))) >= 4


@pytest.mark.usefixtures("coqc")
@pytest.mark.parametrize(
    "side", ["tree", "set", "half graph", "refutation", "by name", "hexadecimal"]
)
def test_every_kind_of_statement(side: str, tmp_path: Path) -> None:
    H = subsets(4, 2)
    found_vc, found_threshold = vc(H).witness, threshold(H).witness
    assert isinstance(found_vc, ShatteredSet)
    assert isinstance(found_threshold, HalfGraph)
    wide = FiniteClass(np.tri(350, 320, dtype=np.uint8))
    file = {
        "tree": lambda: rocq.at_least(H, shattered_tree(H)),
        "set": lambda: rocq.at_least(H, found_vc),
        "half graph": lambda: rocq.at_least(H, found_threshold),
        "refutation": lambda: rocq.below(H, refutation(H)),
        "by name": lambda: rocq.to_rocq(H, inline=False),
        "hexadecimal": lambda: rocq.below(wide, refutation(wide)),
    }[side]()
    assert judged(file, tmp_path).proved


def answer(records: tuple[int, ...]) -> FiniteDistribution[str]:
    p = Fraction(3, 4) if records[0] else Fraction(1, 4)
    return FiniteDistribution({"yes": p, "no": 1 - p})


@pytest.mark.usefixtures("coqc")
def test_a_refuted_claim_and_a_true_one(tmp_path: Path) -> None:
    """Randomised response with 3/4 has the factor 3, which no event exceeds."""
    result = audit.differential_privacy(answer, 2, 1, claim=Epsilon.exactly(2), labelled=False)
    file = rocq.to_rocq(result)
    assert judged(file, tmp_path).proved
    law, other = [Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]
    true = rocq.far_apart(law, other, [True, False], Fraction(3), Fraction(0))
    assert judged(true, tmp_path).verdict == "rejected"
    no_law = rocq.far_apart(
        law, [Fraction(1), Fraction(1)], [False, True], Fraction(2), Fraction(0)
    )
    assert judged(no_law, tmp_path).verdict == "rejected"


@pytest.mark.usefixtures("coqc")
@pytest.mark.parametrize("name", [name for name in rocq.theorems() if not name.startswith(SLOW)])
def test_the_theories_rest_on_nothing(name: str) -> None:
    assert rocq.check_theorem(name).proved


@pytest.mark.usefixtures("at_night")
@pytest.mark.parametrize("name", [name for name in rocq.theorems() if name.startswith(SLOW)])
def test_the_others_rest_on_nothing_either(name: str) -> None:
    assert rocq.check_theorem(name).proved


CLASSES: dict[str, Callable[[np.random.Generator], object]] = {
    "sparse": lambda rng: rng.random((190, 32)) < 0.1,
    "less sparse": lambda rng: rng.random((500, 64)) < 0.1,
    "denser": lambda rng: rng.random((300, 24)) < 0.3,
    "half": lambda rng: rng.random((60, 8)) < 0.5,
    "thresholds": lambda _: np.tri(200, 200),
    "singletons": lambda _: np.eye(64),
    "points of a cube": lambda _: (np.arange(256)[:, None] >> np.arange(8)) & 1,
    "three of twelve": lambda _: subsets(12, 3).table,
    "four of ten": lambda _: subsets(10, 4).table,
    "complemented": lambda _: subsets(10, 3).table ^ (np.arange(10) % 3 == 0),
    "intervals": lambda _: [
        [i <= x < j for x in range(20)] for i in range(20) for j in range(i, 21)
    ],
    "half-spaces": lambda rng: (rng.normal(size=(400, 3)) @ rng.normal(size=(3, 40))) > 0,
}


@pytest.mark.usefixtures("at_night")
@pytest.mark.parametrize("name", CLASSES)
def test_twelve_classes(name: str, tmp_path: Path) -> None:
    table = CLASSES[name](np.random.default_rng(1))
    H = FiniteClass(np.asarray(table, dtype=np.uint8))
    assert judged(rocq.to_rocq(H), tmp_path, H).proved


MANY = """\
Definition classes : list (nat * class * nat * tree) := ([
{}])%N.
Definition right (e : nat * class * nat * tree) : bool :=
  match e with (m, H, d, T) =>
    fits m H && shatters H d T && below (columns m H) (S d) (all_rows H) end.
Theorem all_right : Forall (fun e => match e with (_, H, d, _) => Littlestone H d end) classes.
Proof.
  assert (A : forallb right classes = true) by (vm_cast_no_check (eq_refl true)).
  rewrite forallb_forall in A. rewrite Forall_forall. intros [[[m H] d] T] I. specialize (A _ I).
  unfold right in A. rewrite !andb_true_iff in A. destruct A as [[F L] U].
  now apply (by_search m H d T).
Qed.
Print Assumptions all_right.
"""


def test_five_hundred_random_classes(coqc: tuple[str, ...], tmp_path: Path) -> None:
    """One theorem that all their dimensions are right: by the recursion, not by refutations."""
    rng = np.random.default_rng(7)
    entries, dimensions = [], set()
    for _ in range(500):
        shape = int(rng.integers(1, 48)), int(rng.integers(1, 11))
        H = FiniteClass((rng.random(shape) < rng.choice([0.15, 0.3, 0.5])).astype(np.uint8))
        tree = shattered_tree(H)
        dimensions.add(tree.depth)
        rows = "; ".join(map(hex, as_numbers(H)))
        entries.append(f"({shape[1]}%nat, [{rows}], {tree.depth}%nat, {written_tree(tree)})")
    assert dimensions == {0, 1, 2, 3, 4, 5}
    begin = "From Coq Require Import Bool.\n"
    text = f"{begin}{prelude('Ldim', inline=True)}{OPENING}{MANY.format(';'.join(entries))}"
    (tmp_path / "Many.v").write_text(text)
    done = subprocess.run(
        [*coqc, "-q", "Many.v"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == (f"{CLOSED}\n", 0), done.stderr


# What is believed of what a program called coqc does.


def test_an_exit_code_alone_is_not_believed(actor: Callable[[str], None], tmp_path: Path) -> None:
    actor("exit 0")
    found = judged(FILE, tmp_path)
    assert (found.verdict, found.reason) == ("rejected", "it rests on more than the kernel: ")


def test_axioms_are_told(actor: Callable[[str], None], tmp_path: Path) -> None:
    actor('case "$*" in *Claimed*) echo "Axioms:"; echo "cheat : False";; esac')
    found = judged(FILE, tmp_path)
    assert found.reason == "it rests on more than the kernel: Axioms: cheat : False"


def test_what_the_submitted_file_prints_counts_for_nothing(
    actor: Callable[[str], None], tmp_path: Path
) -> None:
    actor(f'case "$*" in *Submitted*) echo "{CLOSED}";; esac')
    assert judged(FILE, tmp_path).verdict == "rejected"
    actor(f'case "$*" in *Claimed*) echo "{CLOSED}"; echo more;; esac')
    assert judged(FILE, tmp_path).verdict == "rejected"
    actor(f'case "$*" in *Claimed*) echo "{CLOSED}";; esac')
    assert judged(FILE, tmp_path).proved


def test_a_failure_is_quoted(actor: Callable[[str], None], tmp_path: Path) -> None:
    actor('case "$*" in *Submitted*) echo "Error: no" >&2; exit 1;; esac')
    assert judged(FILE, tmp_path).reason == "Rocq: Error: no"
    actor('case "$*" in *Submitted*) exit 7;; esac')
    assert judged(FILE, tmp_path).reason == "Rocq: exit code 7"


def test_a_limit_on_the_time(actor: Callable[[str], None], tmp_path: Path) -> None:
    actor('case "$*" in *Submitted*) exec tail -f /dev/null;; esac')
    FILE.save(tmp_path / "F.v")
    found = rocq.check(tmp_path / "F.v", time_limit=0.5)
    assert found.reason == "Rocq had not ended after 0.5 seconds"


def test_the_statement_is_asked_of_the_submitted_theorem_by_its_name(
    actor: Callable[[str], None], tmp_path: Path
) -> None:
    """What the second file says, word for word, and in which order."""
    actor(f'case "$*" in *Claimed*) cp Claimed.v {tmp_path}/kept.v;; esac')
    judged(FILE, tmp_path)
    kept = (tmp_path / "kept.v").read_text()
    definitions = FILE.text[
        FILE.text.index("Definition H") : FILE.text.index("Definition shattered_tree")
    ]
    assert kept == (
        "From PacStability Require Import Ldim.\n"
        "From Coq Require Import String List NArith QArith.\nImport ListNotations.\n"
        f"{definitions}"
        "Definition statement : Prop := Littlestone H 2.\n"
        "Require Submitted.\n"
        "Theorem claimed : statement.\nProof. exact Submitted.dimension. Qed.\n"
        "Print Assumptions claimed.\n"
    )


def test_paths_from_the_environment_are_not_used(
    actor: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COQPATH", str(tmp_path))
    monkeypatch.setenv("ROCQPATH", str(tmp_path))
    actor(f"env > {tmp_path}/environment")
    judged(FILE, tmp_path)
    assert "PATH=" not in (tmp_path / "environment").read_text().replace("\nPATH=", "\n", 1)
