"""A class whose dimension needs an argument, and files about it that are no proofs."""

from itertools import combinations

import numpy as np

from pac_stability import FiniteClass, rocq


def subsets(points: int, most: int) -> FiniteClass:
    """All sets of at most so many points: their Littlestone dimension is that number."""
    sets = [c for size in range(most + 1) for c in combinations(range(points), size)]
    return FiniteClass(np.array([[int(x in c) for x in range(points)] for c in sets]))


PAIRS = subsets(5, 2)
FILE = rocq.to_rocq(PAIRS)
STATED = "Theorem dimension : Littlestone H 2"
PROOF = FILE.text[FILE.text.index("Proof. apply (by_cert") : FILE.text.index("Print Assumptions")]


def changed(*changes: tuple[str, str]) -> str:
    """The file, with each of these texts, which stand in it once, replaced."""
    text = FILE.text
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def instead(proof: str, before: str = "", d: int = 3) -> str:
    """The file with a larger dimension, another proof, and something before the theorem."""
    return changed((STATED, f"{before}Theorem dimension : Littlestone H {d}"), (PROOF, proof))


COMPUTED = "vm_cast_no_check (eq_refl true). Qed.\n"
STEPS = FILE.text[FILE.text.index("(Sides [") : FILE.text.index("%N.\nTheorem")]
CHEAT = "exact cheat. Qed.\n"
REFUSED_UNSEEN = {
    **{
        f"{word}": instead(f"Proof. {CHEAT}", f"{word} cheat : Littlestone H 3.\n")
        for word in ("Axiom", "Parameter", "Conjecture", "Hypothesis", "Variable", "Axioms",
                     "Local Axiom", "#[local] Axiom", "Time Axiom", "Polymorphic Axiom")
    },
    "Admitted": instead("Proof. Admitted.\n"),
    "Admitted before": instead(
        f"Proof. {CHEAT}", "Lemma cheat : Littlestone H 3.\nProof. Admitted.\n"
    ),
    "after a bullet": instead("Proof. - Axiom cheat : Littlestone H 3. exact cheat. Qed.\n"),
    "guard": instead(PROOF, "Unset Guard Checking.\n", 2),
    "positivity": instead(PROOF, "Unset Positivity Checking.\n", 2),
    "universes": instead(PROOF, "Global Unset Universe Checking.\n", 2),
    "bypass": instead(PROOF, "#[bypass_check(guard)] Definition x := 0.\n", 2),
    "plugin": instead(PROOF, 'Declare ML Module "cheat".\n', 2),
    "load": instead(PROOF, 'Load "cheat".\n', 2),
    "redirect": instead(PROOF, 'Redirect "Ldim" Print H.\n', 2),
    "extraction": instead(PROOF, 'Extraction "Ldim.vo" row.\n', 2),
    "notation": instead(
        "Proof. exact I. Qed.\n", "Notation \"'Littlestone' H d\" := True (at level 0).\n"
    ),
    "infix": instead(PROOF, 'Infix "=" := (fun _ _ => True).\n', 2),
    "coercion": instead(PROOF, "Coercion row : string >-> N.\n", 2),
    "canonical": instead(PROOF, "Canonical H.\n", 2),
    "module": instead(PROOF, "Module Ldim. End Ldim.\n", 2),
    "section": instead(PROOF, "Section S.\n", 2),
    "not ASCII": instead(PROOF, "(* \N{GREEK SMALL LETTER ALPHA} *)\n", 2),
    "another theory": changed(("  Ldim_ge H d /\\ forall k", "  True /\\ forall k")),
    "an unclosed comment": f"{FILE.text}(* (* *)",
    "before the theories": f"Axiom cheat : False.\n{FILE.text}",
    "an unclosed comment before": f"(* {FILE.text}",
    "no theorem": changed(("Theorem dimension", "Lemma dimension")),
    "another statement": changed((STATED, "Theorem dimension : True")),
    "half a statement": changed(
        (STATED, "Theorem dimension : Littlestone H 2 \\/ True")
    ),
    # With a reader that could split the spaces in two ways this would take 2^60 steps.
    "rows without semicolons": changed(
        ("Definition H : class := (rows [", 'Definition H : class := (rows [' + '"1" ' * 60 + "x")
    ),
    "no table": changed(("Definition H : class", "Definition K : class")),
    "two tables": changed(
        ("Theorem dim", 'Definition H : class := (rows ["1"])%string.\nTheorem dim')
    ),
    "a word for a number": changed((STATED, "Theorem dimension : Littlestone H two")),
    "of VC": changed((STATED, "Theorem dimension : VC_ge H 2")),
    "nothing": "",
}  # fmt: skip
"""Files that need no Rocq to be refused, by what is wrong."""

REFUSED_BY_THE_KERNEL = {
    "d + 1": FILE.text.replace("Littlestone H 2", "Littlestone H 3").replace(" H 2 ", " H 3 "),
    "d - 1": FILE.text.replace("Littlestone H 2", "Littlestone H 1").replace(" H 2 ", " H 1 "),
    "only the statement": changed((STATED, "Theorem dimension : Littlestone H 3")),
    "a node": changed(("(Node 0 (Node 1", "(Node 0 (Node 0")),
    "a label of a side": FILE.text.replace("true, Sides", "false, Sides", 1),
    "a point of a side": FILE.text.replace("(1, true", "(0, true", 1),
    "no steps": changed((STEPS, "(Sides [])")),
    "an axiom of the standard library": changed(
        ("Theorem dimension", "From Coq Require Import Classical.\nTheorem dimension"),
        ("Proof. apply (by_cert", "Proof. apply NNPP. intros no. apply no. apply (by_cert")
    ),
    "a weaker notion of the name": instead(
        "Proof. exact I. Qed.\n", "Definition Littlestone (H : class) (d : nat) := True.\n"
    ),
    "a weaker notion below it": instead(
        "Proof. split; [exact I | intros k _; exact I]. Qed.\n",
        "Definition Ldim_ge (H : class) (d : nat) := True.\n"
        "Definition Littlestone (H : class) (d : nat) :=\n"
        "  Ldim_ge H d /\\ forall k, Ldim_ge H k -> True.\n"
    ),
    "other rows of the name": changed(
        ("Definition H", "Definition rows (l : list string) : class := [0%N].\nDefinition H"),
        (STATED, "Theorem dimension : Littlestone H 0"),
        (PROOF, f"Proof. apply (by_certificate 1 H 0 Leaf (Sides [])).\n{COMPUTED}")
    ),
    "a decoy in a comment": changed(
        (STATED, "Theorem dimension : (* Littlestone H 2 *) Littlestone H 1")
    ),
    "no proof": changed((PROOF, "Proof. exact I. Qed.\n")),
    "no end": changed((PROOF, PROOF.replace(" Qed.", ""))),
}  # fmt: skip
"""Files that look well and are no proofs, by what is wrong."""
