"""Let an installed Rocq judge a file, against a statement that this module writes.

The check trusts neither what a file prints nor that it compiles: an axiom does not make it fail,
and text that looks like a statement may mean something else. Rocq compiles the file beside the
theories of this library. Then this module writes a second file. It states the claim again, from the
data it read in the first file, over the library's definitions. Its proof is the theorem of the
first file. The kernel must report that this second theorem rests on no axioms.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pac_stability._report import Tabled
from pac_stability.arguments import described
from pac_stability.classes import FiniteClass
from pac_stability.errors import InvalidInput, printable
from pac_stability.keeping.writing import FilePath
from pac_stability.reading.text import read_bytes
from pac_stability.rocq import export

CLOSED = "Closed under the global context"
"""What Rocq says of a theorem that rests on no axiom."""

TIME_LIMIT = 600.0
"""Seconds for each file, unless another limit is given."""

MAX_BYTES = 2**28
"""Larger files are refused."""

NOT_INSTALLED = "neither coqc nor rocq is installed (Debian and Ubuntu: apt install coq)"

# What a sentence may begin with. The rest could change what others mean, read or write files, or
# state something without a proof.
_COMMANDS = ("Definition", "Fixpoint", "Lemma", "Theorem", "Corollary", "Proof", "Qed")
_SENTENCES = re.compile(
    r"From Coq Require Import [A-Za-z ]+|Import \w+|Local Open Scope \w+|Print Assumptions \w+"
)


_BEYOND_THE_KERNEL = re.compile(r"\bnative_\w+|\bnative\b")


@dataclass(frozen=True, slots=True, repr=False)
class Judgement(Tabled):
    """The answer of Rocq's kernel about a statement.

    Attributes
    ----------
    verdict
        ``"proved"``, ``"rejected"``, or ``"skipped"`` where no Rocq is installed.
    words, statement
        The statement in words and in Rocq; empty if it could not be read.
    reason
        Why the statement is not proved.
    """

    verdict: Literal["proved", "rejected", "skipped"]
    words: str = ""
    statement: str = ""
    reason: str = ""

    @property
    def proved(self) -> bool:
        """Whether the kernel accepted the statement without axioms."""
        return self.verdict == "proved"


def check(
    path: FilePath, *, about: FiniteClass | None = None, time_limit: float = TIME_LIMIT
) -> Judgement:
    """Ask Rocq whether a file proves what it says.

    Parameters
    ----------
    path
        A file as `to_rocq`, `at_least` or `below` write it.
    about
        The class that the file should be about: the same hypotheses, in any order. Without it, the
        proof is about the table in the file, which you have to compare yourself.
    time_limit
        Seconds; a file that takes longer is rejected.

    Returns
    -------
    Judgement

    Raises
    ------
    InvalidInput
        There is no such file, or it is too large.

    Notes
    -----
    The check trusts Rocq's kernel with its virtual machine, and the definitions in the theories. It
    refuses a file with commands that such files do not need, before Rocq sees it. It limits the
    time of Rocq, but not its memory.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "F.v"
    >>> _ = path.write_text("Axiom a : False. Theorem t : False. exact a. Qed.")
    >>> check(path).reason
    'something else in place of one that begins with the theories of this version'
    """
    text = read_bytes(path, MAX_BYTES).decode("utf-8", "replace")
    try:
        theory, body = _parts(text)
        stated, name = export.read_statement([*_sentences(body)])
        if stated.theory != theory:
            raise InvalidInput(
                "file", f"the theory {theory}", f"{stated.theory}, for what is stated"
            )
        if about is not None and {*export.as_numbers(about)} != {*(stated.rows or ())}:
            raise InvalidInput("file", "another table", "that of the class it should be about")
    except InvalidInput as error:
        return Judgement("rejected", reason=f"{error.given} in place of {error.wanted}")

    def judged(verdict: Literal["proved", "rejected", "skipped"], reason: str = "") -> Judgement:
        return Judgement(verdict, stated.words, stated.proposition, reason)

    if command() is None:
        return judged("skipped", NOT_INSTALLED)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "Submitted.v").write_text(f"{export.prelude(theory, inline=False)}{body}", "ascii")
        (place / "Claimed.v").write_text(_claim(stated, name), "ascii")
        for file in ("Submitted", "Claimed"):
            done = _compiled_in(place, file, theory, time_limit)
            if isinstance(done, str):
                return judged("rejected", done)
    wrong = _wrong(done)
    return judged("rejected", wrong) if wrong else judged("proved")


def check_theorem(name: str, *, time_limit: float = TIME_LIMIT) -> Judgement:
    """Ask Rocq to check a theorem of the library's theories, and to list its assumptions.

    Parameters
    ----------
    name
        FILE.THEOREM, one of `theorems`.
    time_limit
        Seconds for each theory that it needs.

    Raises
    ------
    InvalidInput
        There is no theorem of that name.

    Notes
    -----
    The counterexamples to Lemma 12 take half a minute each; the others a second.
    """
    if name not in export.theorems():
        raise InvalidInput("name", described(name), f"one of {', '.join(export.theorems())}")
    words = f"{name} of the theories"
    if command() is None:
        return Judgement("skipped", words, name, NOT_INSTALLED)
    theory, _, theorem = name.partition(".")
    with tempfile.TemporaryDirectory() as folder:
        asked = f"From PacStability Require {theory}.\nPrint Assumptions {theory}.{theorem}.\n"
        (Path(folder) / "Asked.v").write_text(asked, "ascii")
        done = _compiled_in(Path(folder), "Asked", theory, time_limit)
    wrong = _wrong(done)
    return Judgement("rejected" if wrong else "proved", words, name, wrong)


def command() -> tuple[str, ...] | None:
    """Return the command of the installed Rocq compiler; ``None`` if there is none."""
    for program, arguments in (("coqc", ()), ("rocq", ("compile",))):
        found = shutil.which(program)
        if found is not None:
            return (found, *arguments)
    return None


def _claim(stated: export.RocqStatement, name: str) -> str:
    """Write the statement over the library's definitions; the submitted theorem has to fit it."""
    return "".join(
        (
            export.prelude(stated.theory, inline=False),
            export.OPENING,
            stated.definitions,
            f"Definition statement : Prop := {stated.proposition}.\n",
            # Only now comes the other file, so that it cannot change what the lines above say.
            "Require Submitted.\n",
            f"Theorem claimed : statement.\nProof. exact Submitted.{name}. Qed.\n",
            "Print Assumptions claimed.\n",
        )
    )


def _parts(text: str) -> tuple[str, str]:
    """Return the theory that a file needs, and what comes after it."""
    if not text.isascii():
        raise InvalidInput("file", "letters that are not ASCII", "ASCII text")
    for theory in sorted({about.theory for about in export.OF_CLASSES.values()} | {"Private"}):
        for inline in (True, False):
            before, found, body = text.partition(
                export.prelude(theory, inline=inline) + export.OPENING
            )
            if found and not "".join(_without_comments(before)).strip():
                return theory, f"{export.OPENING}{body}"
    wanted = "one that begins with the theories of this version"
    raise InvalidInput("file", "something else", wanted)


def _without_comments(text: str) -> Iterator[str]:
    """Drop comments. Comments nest, and strings in comments count as strings."""
    depth = 0
    for piece in re.findall(r'"[^"]*"|\(\*|\*\)|[^"(*]+|.', text, re.DOTALL):
        if piece == "(*":
            depth += 1
        elif piece == "*)" and depth:
            depth -= 1
            yield " "
        elif not depth:
            yield piece
    if depth:
        raise InvalidInput("file", "a comment without an end", "comments that end")


def _sentences(text: str) -> Iterator[str]:
    """Return the sentences of a file, each on one line; refuse commands that no such file needs."""
    plain = "".join(_without_comments(text))
    quoted = re.findall(r'"[^"]*"', plain)
    parts = re.split(r"\.(?:\s+|$)", re.sub(r'"[^"]*"', '""', plain))
    texts = iter(quoted)
    for part in parts:
        sentence = re.sub(r'""', lambda _: next(texts), " ".join(part.split()))
        first = re.match(r"\w*", sentence.lstrip("-+*{} "))
        word = "" if first is None else first[0]
        if not (
            not sentence
            or sentence.split(" ")[0] in _COMMANDS
            or _SENTENCES.fullmatch(sentence)
            or word[:1].islower()
            or not sentence.strip("-+*{} ")
        ):
            raise InvalidInput("file", printable(sentence[:60]), "definitions, theorems and proofs")
        trusts = _BEYOND_THE_KERNEL.search(sentence)
        if trusts is not None:
            wanted = "proofs for the kernel and its virtual machine, not for the native compiler"
            raise InvalidInput("file", trusts[0], wanted)
        yield sentence


def _compiled_in(place: Path, file: str, theory: str, time_limit: float) -> list[str] | str:
    """Compile a file beside the theories; return the printed lines, or the error."""
    for needed in export.needs(theory):
        _compile_theory(needed, time_limit)
    return _run(place, file, ("-Q", str(_workshop()), "PacStability"), time_limit)


@cache
def _compile_theory(name: str, time_limit: float) -> None:
    """Compile a theory, once in a process."""
    place = _workshop()
    (place / f"{name}.v").write_text(export.source(name), "ascii")
    done = _run(place, name, ("-Q", str(place), "PacStability"), time_limit)
    if isinstance(done, str):
        raise InvalidInput(f"theory {name}", done, "one that this Rocq accepts (8.16 does)")


@cache
def _workshop() -> Path:
    """Return a folder for compiled theories; it is removed when the process ends."""
    _KEPT.append(tempfile.TemporaryDirectory(prefix="pac-stability-rocq-"))
    return Path(_KEPT[0].name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def _run(place: Path, file: str, options: tuple[str, ...], time_limit: float) -> list[str] | str:
    program = command()
    if program is None:
        return NOT_INSTALLED
    # Paths from the environment could put other files in the place of the theories.
    environment = {
        name: os.environ[name] for name in ("PATH", "HOME", "COQLIB") if name in os.environ
    }
    try:
        done = subprocess.run(  # noqa: S603  # the proof assistant, on files written here
            [*program, "-q", *options, f"{file}.v"],
            cwd=place, env=environment, timeout=time_limit, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"Rocq had not ended after {time_limit:g} seconds"
    if done.returncode:
        said = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        return f"Rocq: {said[:400]}"
    return [line for line in done.stdout.splitlines() if line.strip()]


def _wrong(printed: list[str] | str) -> str:
    """Return why the printed lines, or the error, are not those of a proof."""
    if isinstance(printed, str):
        return printed
    if printed == [CLOSED]:
        return ""
    return f"it rests on more than the kernel: {' '.join(printed)[:400]}"
