"""Export certificates as Rocq files.

An exported file needs the theories of this library. This module writes statements for Rocq, reads
them back from files, and says them in words. It writes each statement that it read again, from the
data alone. So a reader and the kernel judge the same sentence, whatever else the file contains.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

from pac_stability import dimensions
from pac_stability.arguments import described
from pac_stability.audit import AuditResult, Verdict
from pac_stability.audit.results import PairWitness
from pac_stability.classes import FiniteClass
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.keeping.writing import FilePath

THEORIES = Path(__file__).parent / "theories"
"""The folder of the theories; ``coqc -Q FOLDER PacStability`` finds them."""

_NEEDS = re.compile(r"^From PacStability Require Import (.*)\.\n", re.MULTILINE)
_PROVED = re.compile(r"^(?:Theorem|Corollary) (\w+)", re.MULTILINE)


@cache
def source(name: str) -> str:
    """Return the text of a theory.

    Raises
    ------
    InvalidInput
        There is no theory of that name.
    """
    names = sorted(file.stem for file in THEORIES.glob("*.v"))
    if name not in names:
        raise InvalidInput("theory", repr(name), f"one of {', '.join(names)}")
    return (THEORIES / f"{name}.v").read_text(encoding="ascii")


def needs(name: str) -> tuple[str, ...]:
    """Return a theory and all theories that it needs, each after its own needs.

    Examples
    --------
    >>> needs("Witness")
    ('Ldim', 'Witness')
    """
    found: dict[str, None] = {}
    for line in _NEEDS.findall(source(name)):
        for needed in line.split():
            found.update(dict.fromkeys(needs(needed)))
    return (*found, name)


def theorems() -> tuple[str, ...]:
    """Return the main theorems of all theories, as FILE.THEOREM.

    Examples
    --------
    >>> [name for name in theorems() if name.startswith("Soa")]
    ['Soa.SOA_mistakes', 'Soa.every_learner_errs', 'Soa.SOA_consistent']
    """
    files = sorted(THEORIES.glob("*.v"))
    return tuple(
        f"{file.stem}.{name}" for file in files for name in _PROVED.findall(source(file.stem))
    )


def prelude(name: str, *, inline: bool) -> str:
    """Return the beginning of an exported file: the theories that it needs, in full or by name."""
    if not inline:
        return f"From PacStability Require Import {' '.join(needs(name))}.\n"
    parts = []
    for needed in needs(name):
        text = _NEEDS.sub("", source(needed))
        parts.append(
            f"(* ==== {needed}.v of pac_stability ==== *)\n{text}(* ==== its end ==== *)\n"
        )
    return "".join(parts)


# What a file states

_CELLS = 100_000
"""Larger tables are numbers in hexadecimal: a text takes a node for every bit of a letter."""

OPENING = """\
From Coq Require Import String List NArith QArith.
Import ListNotations.
"""
"""What the definitions and the theorem of a file need, beside the theories."""


@dataclass(frozen=True, slots=True)
class RocqStatement:
    """A closed Rocq proposition, with the data that it is about.

    Attributes
    ----------
    theory
        The theory that defines its notions.
    definitions
        The data, as definitions.
    proposition
        The statement about them.
    words
        The statement in words.
    rows
        The table, if the statement is about one: a number for each row, bit x its label at x.
    """

    theory: str
    definitions: str
    proposition: str
    words: str
    rows: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class _About:
    """A statement about a class and a number."""

    theory: str
    proposition: str
    words: str


OF_CLASSES = {
    "littlestone": _About("Ldim", "Littlestone H {}", "has Littlestone dimension {}"),
    "at-least": _About("Ldim", "Ldim_ge H {}", "has Littlestone dimension {} or more"),
    "below": _About("Ldim", "~ Ldim_ge H {}", "has Littlestone dimension below {}"),
    "vc": _About("Witness", "VC_ge H {}", "has VC dimension {} or more"),
    "threshold": _About("Witness", "Threshold_ge H {}", "has threshold dimension {} or more"),
}
"""What can be said of a class, by name."""


def about_class(kind: str, rows: Sequence[int], points: int, number: int) -> RocqStatement:
    """State a property of a class.

    Parameters
    ----------
    kind
        A key of `OF_CLASSES`.
    rows
        A number for each hypothesis, bit x its label at x.
    points
        The number of points.
    number
        The dimension, or its bound.
    """
    about = OF_CLASSES[kind]
    if len(rows) * points <= _CELLS:
        entries = [f'"{_labels(row, points)}"' for row in rows]
        table, scope = "rows [\n{}]", "string"
    else:
        entries, table, scope = [*map(hex, rows)], "[\n{}]", "N"
    listed = ";\n".join(entries)
    counted = f"the class H of {len(rows)} hypotheses on {points} points"
    return RocqStatement(
        about.theory,
        f"Definition H : class := ({table.format(listed)})%{scope}.\n",
        about.proposition.format(number),
        f"{counted} {about.words.format(number)}",
        tuple(rows),
    )


def about_laws(
    law: Sequence[Fraction], neighbour: Sequence[Fraction], ratio: Fraction, delta: Fraction
) -> RocqStatement:
    """State that two laws are further apart than a ratio and a delta allow."""
    laws = "".join(
        f"Definition {name} : law := ([{'; '.join(map(_rational, each))}])%Q.\n"
        for name, each in (("P", law), ("P'", neighbour))
    )
    far = f"~ indistinguishable ({_rational(ratio)}) ({_rational(delta)}) P P'"
    return RocqStatement(
        "Private",
        laws,
        f"is_law P /\\ is_law P' /\\ {far}",
        f"the laws P and P' on {len(law)} outcomes are not indistinguishable with the factor "
        f"{ratio} and delta {delta}",
    )


_NAME = r"(?P<name>[A-Za-z]\w*)"
# Of each place one alternative at most can go on, so that no text takes more than linear time.
_TABLE = re.compile(r'Definition H : class := \(rows \[ ?((?:"[01]*"(?:; |))*) ?\]\)%string')
_NUMBERS = re.compile(r"Definition H : class := \(\[([0-9a-fx;\s]*)\]\)%N")
_LAW = re.compile(r"Definition (P'?) : law := \(\[([0-9#;\s]*)\]\)%Q")
_NOT_PRIVATE = re.compile(
    rf"Theorem {_NAME} : is_law P /\\ is_law P' /\\ "
    r"~ indistinguishable \((?P<ratio>\d+ # \d+)\) \((?P<delta>\d+ # \d+)\) P P'"
)


def read_statement(sentences: Sequence[str]) -> tuple[RocqStatement, str]:
    """Return what the last theorem of a file states, and its name.

    Parameters
    ----------
    sentences
        The sentences of the file after the theories, without comments.

    Raises
    ------
    InvalidInput
        The theorem is not a statement that this library writes.
    """
    theorems = [sentence for sentence in sentences if sentence.startswith("Theorem ")]
    if not theorems:
        raise InvalidInput("file", "no theorem", "one")
    said = theorems[-1]
    wanted = "a statement that to_rocq, at_least or below writes"
    private = _NOT_PRIVATE.fullmatch(said)
    if private is not None:
        laws = [match for match in map(_LAW.fullmatch, sentences) if match is not None]
        if [match[1] for match in laws] != ["P", "P'"]:
            raise InvalidInput("file", "no definition of the laws", "one of P, and one of P'")
        law, neighbour = ([*map(_fraction, filter(None, re.split(r"\s*;\s*", m[2])))] for m in laws)
        ratio, delta = _fraction(private["ratio"]), _fraction(private["delta"])
        return about_laws(law, neighbour, ratio, delta), private["name"]
    for kind, about in OF_CLASSES.items():
        match = re.fullmatch(
            rf"Theorem {_NAME} : "
            + re.escape(about.proposition).replace(r"\{\}", r"(?P<d>\d{1,6})"),
            said,
        )
        if match is not None:
            rows, points = _read_table(sentences)
            return about_class(kind, rows, points, int(match["d"])), match["name"]
    raise InvalidInput("file", said[:80], wanted)


def _read_table(sentences: Sequence[str]) -> tuple[list[int], int]:
    tables = [match for match in map(_TABLE.fullmatch, sentences) if match is not None]
    numbers = [match for match in map(_NUMBERS.fullmatch, sentences) if match is not None]
    if len(tables) + len(numbers) != 1:
        raise InvalidInput("file", "no definition of H, or several", "one")
    if tables:
        rows = re.findall(r'"([01]*)"', tables[0][1])
        return [int(f"0{row[::-1]}", 2) for row in rows], max(map(len, rows), default=0)
    found = [int(each, 16) for each in filter(None, re.split(r"\s*;\s*", numbers[0][1].strip()))]
    return found, max((number.bit_length() for number in found), default=0)


def _labels(row: int, points: int) -> str:
    return f"{row:0{points}b}"[::-1] if points else ""


def _rational(value: Fraction) -> str:
    return f"{value.numerator} # {value.denominator}"


def _fraction(text: str) -> Fraction:
    numerator, _, denominator = text.strip().partition(" # ")
    try:
        return Fraction(int(numerator), int(denominator))
    except (ValueError, ZeroDivisionError):
        raise InvalidInput("file", text[:80], "a rational number, 3 # 4") from None


# Files

_HOW = """\
   The definitions say what that means. Rocq (Coq) checks the proof: coqc prints 'Closed under the
   global context', that is, no axioms. pac-stability recheck asks it about the statement itself."""

MAX_BITS = 10_000
"""The longest numerators and denominators of laws: Python writes no longer decimal numbers."""

MAX_NODES = 100_000
"""The most version spaces of a refutation that is unfolded."""


@dataclass(frozen=True, slots=True)
class RocqFile:
    """A file for Rocq: a statement with its data, and a proof that the kernel checks.

    Attributes
    ----------
    words
        The statement in words.
    statement
        The statement in Rocq.
    text
        The whole file.
    """

    words: str
    statement: str
    text: str

    def save(self, path: FilePath) -> None:
        """Write the file. ``coqc`` wants a name of letters and digits that ends in ``.v``.

        Raises
        ------
        InvalidInput
            The file cannot be written.
        """
        write_text(path, self.text)


def to_rocq(subject: FiniteClass | AuditResult, *, inline: bool = True) -> RocqFile:
    """State the dimension of a class or the refutation of an audit, and prove it.

    Parameters
    ----------
    subject
        A class: the file proves its Littlestone dimension, by a shattered tree and a refutation. Or
        the answer of an audit of neighbouring samples that refutes a claim: the file proves that
        the two laws of its witness are further apart than claimed.
    inline
        Whether the file contains the theories that it needs, so that Rocq alone can check it.

    Returns
    -------
    RocqFile

    Raises
    ------
    InvalidInput
        The class is empty, or the audit has no refutation by two laws and an event.
    BudgetExhausted
        The unfolded refutation is too long.

    Notes
    -----
    Time is that of the two certificates, plus time linear in the size of the file. A file states
    only what the library found, and the kernel checks it without trusting the library.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> file = to_rocq(FiniteClass([[0, 0], [0, 1], [1, 1]]), inline=False)
    >>> print(file.statement)
    Littlestone H 1
    >>> print(file.text[file.text.index("Definition H") :])
    Definition H : class := (rows [
    "00";
    "01";
    "11"])%string.
    Definition shattered_tree : tree := (Node 1 Leaf Leaf)%N.
    Definition upper_bound : refutation := (Sides [])%N.
    Theorem dimension : Littlestone H 1.
    Proof. apply (by_certificate 2 H 1 shattered_tree upper_bound).
    vm_cast_no_check (eq_refl true). Qed.
    Print Assumptions dimension.
    <BLANKLINE>
    """
    if isinstance(subject, AuditResult):
        return _not_private(subject, inline=inline)
    given: object = subject
    if not isinstance(given, FiniteClass) or not len(given):
        wanted = "a class with a hypothesis, or the answer of an audit"
        raise InvalidInput("subject", described(given), wanted)
    return exactly(
        given, dimensions.shattered_tree(given), dimensions.refutation(given), inline=inline
    )


def exactly(
    H: FiniteClass,
    tree: dimensions.MistakeTree,
    proof: dimensions.Refutation,
    *,
    inline: bool = True,
) -> RocqFile:
    """State the Littlestone dimension of a class, and prove it by matching lower and upper bounds.

    Parameters
    ----------
    H, tree, proof
        The class, a tree that it shatters, and a refutation of one more than its depth.
    inline
        As for `to_rocq`.

    Raises
    ------
    InvalidInput
        A certificate is not about this class, or the two bounds differ.
    """
    _require_tree(H, tree)
    d = tree.depth
    if proof.level != d + 1:
        raise InvalidInput(
            "proof", f"Ldim < {proof.level}", f"Ldim < {d + 1}, as the tree has depth {d}"
        )
    data = f"{_tree(tree)}{_refutation(H, proof)}"
    return _file(
        about_class("littlestone", as_numbers(H), H.table.shape[1], d), data, "dimension",
        f"by_certificate {H.table.shape[1]} H {d} shattered_tree upper_bound", inline=inline,
    )  # fmt: skip


def at_least(
    H: FiniteClass,
    witness: dimensions.MistakeTree | dimensions.ShatteredSet | dimensions.HalfGraph,
    *,
    inline: bool = True,
) -> RocqFile:
    """State that a dimension of a class is at least as large as a witness shows, and prove it.

    Parameters
    ----------
    H
        The class.
    witness
        A shattered tree for the Littlestone dimension, a shattered set for the VC dimension, a half
        graph for the threshold dimension.
    inline
        As for `to_rocq`.

    Raises
    ------
    InvalidInput
        The class does not realize the witness.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.dimensions import vc
    >>> H = thresholds(3)
    >>> at_least(H, vc(H).witness).statement
    'VC_ge H 1'
    """
    rows, points = as_numbers(H), H.table.shape[1]
    if isinstance(witness, dimensions.MistakeTree):
        _require_tree(H, witness)
        d = witness.depth
        stated = about_class("at-least", rows, points, d)
        by = f"at_least H {d} shattered_tree"
        return _file(stated, _tree(witness), "at_least_so_much", by, inline=inline)
    if isinstance(witness, dimensions.ShatteredSet):
        if not witness.is_shattered_by(H):
            raise InvalidInput("witness", described(witness), "points that the class shatters")
        d = len(witness.points)
        stated = about_class("vc", rows, points, d)
        data = f"Definition shattered : list N := {_listed(witness.points)}.\n"
        return _file(stated, data, "at_least_so_much", f"by_points H {d} shattered", inline=inline)
    if isinstance(witness, dimensions.HalfGraph):
        if not witness.is_realized_by(H):
            raise InvalidInput("witness", described(witness), "a half graph of the class")
        k = len(witness.points)
        stated = about_class("threshold", rows, points, k)
        data = (
            f"Definition hs : list N := {_listed([rows[h] for h in witness.hypotheses])}.\n"
            f"Definition xs : list N := {_listed(witness.points)}.\n"
        )
        by = f"by_half_graph H {k} hs xs"
        return _file(stated, data, "at_least_so_much", by, inline=inline)
    raise InvalidInput("witness", described(witness), "a mistake tree, shattered set or half graph")


def below(H: FiniteClass, proof: dimensions.Refutation, *, inline: bool = True) -> RocqFile:
    """State that the Littlestone dimension is below the level of a refutation, and prove it.

    Parameters
    ----------
    H, proof
        The class and what refutes it.
    inline
        As for `to_rocq`.

    Raises
    ------
    InvalidInput
        The proof is not about this class.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.dimensions import refutation
    >>> below(thresholds(3), refutation(thresholds(3))).statement
    '~ Ldim_ge H 3'
    """
    points = H.table.shape[1]
    stated = about_class("below", as_numbers(H), points, proof.level)
    by = f"less_than {points} H {proof.level} upper_bound"
    return _file(stated, _refutation(H, proof), "below_so_much", by, inline=inline)


def far_apart(
    law: Sequence[Fraction],
    neighbour: Sequence[Fraction],
    event: Sequence[bool],
    ratio: Fraction,
    delta: Fraction,
    *,
    about: str = "",
    inline: bool = True,
) -> RocqFile:
    """State that two laws are not (ratio, delta)-indistinguishable, and give an event for it.

    The function checks nothing: if the event does not prove it, the kernel refuses the file.

    Parameters
    ----------
    law, neighbour
        The probabilities of the outcomes, in one order.
    event
        For each outcome whether it belongs to the event.
    ratio, delta
        The factor ``e**epsilon``, and delta.
    about
        What the file says about itself, for a reader.
    inline
        Whether the file contains the theories.
    """
    bits = "; ".join("true" if one else "false" for one in event)
    data = f"Definition told_apart : event := [{bits}].\n"
    numbers = f"({ratio.numerator} # {ratio.denominator}) ({delta.numerator} # {delta.denominator})"
    stated = about_laws(law, neighbour, ratio, delta)
    by = f"by_event told_apart {numbers} P P'"
    return _file(stated, data, "not_private", by, about=about, inline=inline)


def _not_private(result: AuditResult, *, inline: bool) -> RocqFile:
    """Take the laws, the event and the claim from the answer of an audit."""
    instance, witness, claim = result.instance, result.witness, result.claim
    wanted = "one that refutes a claim about neighbouring samples by two exact laws and an event"
    if (
        result.verdict is not Verdict.REFUTED
        or not isinstance(witness, PairWitness)
        or witness.order is not None
        or claim is None
    ):
        given = f"{result.verdict.value}, of {instance.notion.name}"
        raise InvalidInput("subject", given, wanted)
    if result.parameter.is_factor:
        ratio, delta = claim, instance.delta
    else:  # a least delta at an epsilon, or a gamma, which is one at the factor 1
        ratio, delta = instance.epsilon_ratio, claim
    outcomes = [*dict.fromkeys([*witness.law.support, *witness.neighbour_law.support])]
    law, neighbour = (
        [each.probability(outcome) for outcome in outcomes]
        for each in (witness.law, witness.neighbour_law)
    )
    lines = [f"{instance.notion.title}; the outcomes are, in this order:"]
    lines += [f"  {_in_a_comment(outcome)}" for outcome in outcomes]
    event = [outcome in witness.event for outcome in outcomes]
    about = "\n".join(lines)
    longest = max(
        number.bit_length()
        for p in (*law, *neighbour, ratio, delta)
        for number in p.as_integer_ratio()
    )
    if longest > MAX_BITS:
        raise InvalidInput("subject", f"numbers of {longest} bits", f"at most {MAX_BITS}")
    return far_apart(law, neighbour, event, ratio, delta, about=about, inline=inline)


def _in_a_comment(outcome: object) -> str:
    """Return an outcome as text that can neither end a comment nor begin a string."""
    return ascii(outcome)[:200].replace('"', "'").replace("(*", "( *").replace("*)", "* )")


def _file(
    stated: RocqStatement, data: str, name: str, by: str, *, about: str = "", inline: bool
) -> RocqFile:
    words = textwrap.fill(f"{stated.words[0].upper()}{stated.words[1:]}.", 96)
    told = f"(* {words}\n{_HOW} *)\n"
    proof = f"Proof. apply ({by}).\nvm_cast_no_check (eq_refl true). Qed.\n"
    text = "".join(
        (
            told,
            prelude(stated.theory, inline=inline),
            OPENING,
            f"(* {about} *)\n" if about else "",
            stated.definitions,
            data,
            f"Theorem {name} : {stated.proposition}.\n",
            proof,
            f"Print Assumptions {name}.\n",
        )
    )
    return RocqFile(stated.words, stated.proposition, text)


def _require_tree(H: FiniteClass, tree: dimensions.MistakeTree) -> None:
    fault = tree.fault(H)
    if fault is not None:
        raise InvalidInput("witness", fault, "a tree that the class shatters")


def as_numbers(H: FiniteClass) -> list[int]:
    """Return a number for each hypothesis, bit x its label at the point of column x."""
    packed = np.packbits(H.table, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _listed(numbers: Sequence[int]) -> str:
    return f"([{'; '.join(map(hex, numbers))}])%N"


def written_tree(tree: dimensions.MistakeTree) -> str:
    """Return a tree as a term of Rocq."""

    def written(node: dimensions.Node | dimensions.Leaf) -> str:
        if isinstance(node, dimensions.Leaf):
            return "Leaf"
        sides = " ".join(
            written(side) if isinstance(side, dimensions.Leaf) else f"({written(side)})"
            for side in (node.zero, node.one)
        )
        return f"Node {node.point} {sides}"

    return written(tree.root)


def _tree(tree: dimensions.MistakeTree) -> str:
    return _definition("shattered_tree : tree", f"({written_tree(tree)})%N")


def _refutation(H: FiniteClass, proof: dimensions.Refutation) -> str:
    def written(tree: dimensions.RefutationTree) -> str:
        sides = "; ".join(
            f"({point}, {'true' if label else 'false'}, {written(reason)})"
            for point, label, reason in tree.sides
        )
        return f"Sides [{sides}]"

    unfolded = proof.unfolded(H, max_nodes=MAX_NODES)
    return _definition("upper_bound : refutation", f"({written(unfolded)})%N")


def _definition(name: str, body: str) -> str:
    return textwrap.fill(f"Definition {name} := {body}.", 100, break_long_words=False) + "\n"
