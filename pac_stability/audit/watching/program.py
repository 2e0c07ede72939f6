"""Does a program answer by its sample and its coins alone? The watch, and sameness of outcomes.

A :class:`Watching` checks two things. First, draws besides the coins pass a gate or advance a
generator (:mod:`pac_stability.randomness.watch`). Second, it reads the state of the program before
and after, part by part (:func:`memory_of`), so that it can name a change. After a change it repeats
the queries once, and then nothing may change: lazily computed values and remembered answers have
settled by then.

State elsewhere shows in the order of the queries, and dependence on the iteration order of sets of
strings in the hash seed. So a second interpreter may repeat the audit, with another seed and in the
other order. The first interpreter audits (:class:`Twice`). The second runs the same command
(:class:`Told`) and writes its answers as digests, a line for each sample.

At the end is the rule of every audit for outcomes, and for how they are written:

1. Outcomes are the same when they are equal, by ``==`` and ``hash``. Then 1, ``True`` and 1.0
   are one outcome, and so are 0.0 and -0.0. If equal outcomes have different texts, or differ in
   what their equality ignores (``field(compare=False)``), the answer states it as an assumption: a
   reader of the text sees more than the audit compared.
2. A hypothesis that equals only itself, such as a function, counts as the table of its labels on
   the domain.
3. Any other object that equals only itself is refused: two runs that return one would never agree.
   Members of enumerations, classes and ``None`` exist only once and are kept unchanged.

An outcome has a short text for people, and a full text for comparisons.
"""

from __future__ import annotations

import copyreg
import dataclasses
import enum
import functools
import hashlib
import marshal
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, NamedTuple, TypeVar

from pac_stability.arguments import described
from pac_stability.audit.results import SubjectFailure
from pac_stability.audit.watching.memory import Snapshot, StateReader, settings, tells_time
from pac_stability.data import FiniteDistribution, Law
from pac_stability.data.tape import ASKED, backwards
from pac_stability.errors import InvalidInput
from pac_stability.keeping.fingerprint import FRAMEWORKS
from pac_stability.randomness.watch import (
    HiddenDraw,
    Owner,
    Watch,
    assume,
    is_watched,
    owner_of,
    under,
)

_HOLDS = ("program", "function", "func", "law", "probabilities", "predict", "__wrapped__")
"""Where wrappers keep what they wrap."""
_OBJECT = re.compile("an object ")
_LEFT = (77, -77)  # what arrays of numpy.empty hold besides 0


def memory_of(
    program: object, *, ordered: bool = True, unread: dict[str, None] | None = None
) -> dict[str, bytes]:
    """Read the current state of a program, from every place where it can keep some.

    Parameters
    ----------
    program
        A function, a method, an object that can be called, or a wrapper of one.
    ordered
        Whether the insertion order of dictionaries counts.
    unread
        The list to which to add what could not be read, in words.

    Returns
    -------
    dict
        A digest for each place, by its name in words: variables that functions close over, global
        variables that they name, attributes, settings of the interpreter; and last, as ``"something
        that it refers to"``, one of all that a
        :class:`~pac_stability.audit.watching.memory.StateReader` reads.

    Notes
    -----
    It takes about a millisecond for a small program, and time linear in the objects that it refers
    to.

    Examples
    --------
    >>> def counter():
    ...     n = 0
    ...     def count():
    ...         nonlocal n
    ...         n += 1
    ...         return n
    ...     return count
    >>> count = counter()
    >>> before = memory_of(count)
    >>> count()
    1
    >>> changed(before, memory_of(count))
    ('the variable n',)
    """
    # What several places refer to is read at the first of them, and there it is seen to change.
    reading = StateReader(ordered=ordered, own=package_of(program))
    places = (*_places(program), *settings(), ("something that it refers to", program))
    found = {name: reading.digest_of(value) for name, value in places}
    if unread is not None:
        unread |= reading.unread
    return found


def package_of(program: object) -> frozenset[str]:
    """Return the package of a program, wherever it lies; a program outside packages is its own."""
    waiting, seen = [program], set[int]()
    for value in waiting:  # it grows meanwhile
        seen.add(id(value))
        kind = value if isinstance(value, FunctionType) else type(value)
        top = str(kind.__module__).partition(".")[0]
        if not (top in sys.stdlib_module_names or top in (__name__.partition(".")[0], "builtins")):
            return frozenset({top}) - FRAMEWORKS
        inner = [getattr(value, name, None) for name in (*_HOLDS, "estimator", "__self__")]
        if isinstance(value, FunctionType):
            inner += [kept for _, kept in _closed_over(value)]
        waiting += [each for each in inner if each is not None and id(each) not in seen]
    return frozenset()


def namespaces_of(program: object) -> Iterator[dict[str, object]]:
    """Yield the global names of the functions of a program."""
    if program is not None:
        yield from (names for _, names in _parts(program))


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the names of the places that changed, the general one only if it is alone."""
    names = tuple(name for name in after if after[name] != before.get(name))
    return names[:-1] or names


def _places(program: object) -> Iterator[tuple[str, object]]:
    """Yield what could be changed by a call, with its name."""
    for value, names in _parts(program):
        if isinstance(value, FunctionType):
            yield from ((f"the variable {name}", kept) for name, kept in _closed_over(value))
            for name in value.__code__.co_names:
                if name in names:
                    yield f"the global variable {name}", names[name]
            for name, kept in vars(value).items():
                yield f"the attribute {name} of {value.__name__}", kept
        elif not isinstance(value, type | MethodType):
            for name, kept in getattr(value, "__dict__", {}).items():
                yield f"the attribute {name} of a {type(value).__name__}", kept


def _parts(program: object) -> Iterator[tuple[object, dict[str, object]]]:
    """Yield the functions and objects that a program is made of, with the global names of each."""
    waiting, seen = [program], {id(program)}
    for value in waiting:  # it grows meanwhile
        inner = [getattr(value, name, None) for name in _HOLDS]
        names: dict[str, object] = {}
        if isinstance(value, MethodType):
            inner += [value.__self__, value.__func__]
        elif isinstance(value, FunctionType):
            names = value.__globals__
            inner += [kept for _, kept in _closed_over(value) if callable(kept)]
            used = (names[name] for name in value.__code__.co_names if name in names)
            inner += [kept for kept in used if callable(kept)]
        yield value, names
        for other in inner:
            if other is not None and not isinstance(other, type) and id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)


def _closed_over(function: FunctionType) -> Iterator[tuple[str, object]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # it is empty
            yield name, cell.cell_contents


# The same program asked again in a second interpreter, with another hash seed, in the other order

Row = tuple[Hashable, ...]


@dataclass(frozen=True)
class Twice:
    """Compares the answers with those that a second interpreter gives.

    Attributes
    ----------
    command
        A command that audits the same, from the last sample to the first, and writes its answers to
        the file named by its last argument.
    """

    command: tuple[str, ...]

    def first_that_differs(self, name: str, rows: Iterable[Row]) -> int | None:
        """Return the number of a sample with another answer there.

        Raises
        ------
        SubjectFailure
            No answers came.
        """
        seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "answers")
            done = subprocess.run(  # noqa: S603  # what the user runs
                [sys.executable, *self.command, str(file)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True, text=True, errors="replace", check=False,
            )  # fmt: skip
            if done.returncode or not file.exists():
                said = done.stderr.strip().rpartition("\n")[2].removeprefix("pac-stability: ")
                given = f"no answers from {name} in a second interpreter, which says: {said}"
                raise SubjectFailure("mechanism", given, "the same answers there", None)
            there = file.read_text(encoding="ascii").splitlines()
        told = map(_told, rows)
        return next(
            (k for k, pair in enumerate(zip(told, there, strict=True)) if len({*pair}) > 1), None
        )


@dataclass(frozen=True)
class Told:
    """Sends the answers to the first interpreter, and ends the audit with :class:`AllTold`.

    Attributes
    ----------
    file
        Where to write them.
    """

    file: str

    def tell(self, samples: int, row: Callable[[int], Row]) -> None:
        """Query all samples, the last one first, and write the answers."""
        backwards = [_told(row(number)) for number in reversed(range(samples))]
        Path(self.file).write_text("".join(f"{line}\n" for line in backwards[::-1]), "ascii")


class AllTold(Exception):  # it is no error
    """The second interpreter has sent its answers."""


def _told(row: Row) -> str:
    return hashlib.sha256("; ".join(map(_in_full, row)).encode("utf-8", "replace")).hexdigest()[:32]


def _in_full(value: object) -> str:
    if isinstance(value, Law):
        return ", ".join(sorted(f"{written(y)}: {weight}" for y, weight in value.items()))
    return str(value)


# Does a program answer by its sample and its coins alone? What an audit holds while it asks

T = TypeVar("T")


class Unsettled(SubjectFailure):
    """The state of a program changes again when the same queries are repeated."""


class _Before(NamedTuple):
    """The state of a program, to compare with, and to put back."""

    spaces: tuple[dict[str, object], ...]
    snapshot: Snapshot
    memory: dict[str, bytes]
    unread: dict[str, None]


@dataclass(frozen=True)
class Watching:
    """A watch over a program during many queries.

    Attributes
    ----------
    program
        What is asked.
    name
        Its name in messages.
    alone
        Whether no other thread draws in its process.
    keeps
        Whether to watch its state; an algorithm that is not run may keep any.
    laws
        How many laws were computed: the one number in a list.
    """

    program: object
    name: str
    alone: bool = True
    keeps: bool = True
    laws: list[int] = field(default_factory=lambda: [0], compare=False, repr=False)
    _unchanged: list[_Before] = field(default_factory=list, init=False, compare=False, repr=False)

    def __reduce__(self) -> tuple[type[Watching], tuple[object, ...]]:
        return Watching, (self.program, self.name, self.alone, self.keeps, self.laws)

    def during(
        self,
        work: Callable[[], T],
        sample: object,
        assumed: dict[str, None] | None = None,
        anew: Callable[[], object] | None = None,
    ) -> T:
        """Do work with many queries, a second time if the state of the program has changed.

        Parameters
        ----------
        work
            What is called.
        sample
            The first sample, for messages.
        assumed
            The list to which to add noteworthy actions that are not draws, in sentences.
        anew
            Called where the state has changed, with the state of before: it compares answers.

        Raises
        ------
        HiddenDraw
            The program drew from something besides its coins.
        Unsettled
            The state of the program changed again, or the work has another result.

        Examples
        --------
        >>> class Counter:
        ...     def __call__(self):
        ...         self.calls = getattr(self, "calls", 0) + 1
        >>> count = Counter()
        >>> try:
        ...     Watching(count, "a counter").during(count, ())
        ... except Unsettled as unsettled:
        ...     print(unsettled.given)
        a counter, which keeps something between questions that the same questions change again: \
the attribute calls of a Counter
        """
        if is_watched():
            return work()
        noted = {} if assumed is None else assumed
        before = self._state(sample)
        for what in filter(_OBJECT.match, before.unread):
            noted[f"A{what[1:]}, keeps nothing between questions."] = None
        watches = partial(Watch, before.spaces, noted, alone=self.alone, laws=self.laws)
        watch = watches()
        try:
            found, now = self._during(work, sample, before, watch, watches, anew=anew)
        except Exception:  # of the program or of the audit: it goes on up
            before.snapshot.restore()  # asked again, it is refused again
            watch.rewind()
            raise
        if now == before.memory:
            self._unchanged[:] = [before]
        return found

    def forget(self) -> None:
        """Read the state of the program anew before the next work, as it was changed in between."""
        self._unchanged.clear()

    def _state(self, sample: object) -> _Before:
        """Return the state of the program: that which it had after the last work, if no other."""
        with suppress(IndexError):
            return self._unchanged.pop()
        snapshot, unread = Snapshot(_parts(self.program)), dict[str, None]()
        for what in (*self._times(), *snapshot.live):
            wanted = "answers that depend on nothing but the sample and the coins"
            raise Unsettled("mechanism", f"{self.name}, which holds or asks {what}", wanted, sample)
        return _Before(
            tuple(namespaces_of(self.program)), snapshot, self._memory(unread=unread), unread
        )

    def _during(
        self,
        work: Callable[[], T],
        sample: object,
        before: _Before,
        watch: Watch,
        watches: Callable[..., Watch],
        *,
        anew: Callable[[], object] | None,
    ) -> tuple[T, dict[str, bytes]]:
        """Return the result, and the state after it."""
        kept, restore = before.memory, before.snapshot.restore
        loaded = len(sys.modules)
        try:
            first = under(watch, work)
        except HiddenDraw as found:
            if found.place:
                raise
            watch.rewind()  # question by question, to say which
            first = under(watches(careful=True), work)
            if len(sys.modules) == loaded:
                raise  # else it was an import, which is over
        for leaves in _LEFT if watch.emptied else ():
            if under(watches(leaves=leaves), work) != first:
                raise Unsettled(
                    "mechanism",
                    f"{self.name}, which reads the memory that numpy.empty leaves at "
                    f"{watch.emptied}",
                    "answers that depend on nothing but the sample and the coins: an array of "
                    "numpy.zeros, or one that is filled",
                    sample,
                )
        now = self._memory()
        if now == kept:
            return first, now
        if ASKED in watch.assumed:
            # What is kept must not depend on how the coins fell: they fall the other way.
            reached = self._memory(ordered=False)
            restore(settings=False)
            with backwards():
                under(watches(), work)
            names = changed(reached, self._memory(ordered=False))
            if names:
                raise self._unsettled(names, sample)
            now = self._memory()
        if anew is not None:  # what the first sample left must not decide about others
            settled = Snapshot(_parts(self.program))
            restore(settings=False)
            under(watches(), anew)
            settled.restore(settings=False)
            now = self._memory()  # a cache, which cannot be put back, has one answer more
        again = under(watches(), work)
        names = changed(now, self._memory())
        if names or again != first:
            raise self._unsettled(names or ("something that it refers to",), sample)
        return again, now

    def _memory(
        self, *, ordered: bool = True, unread: dict[str, None] | None = None
    ) -> dict[str, bytes]:
        return memory_of(self.program, ordered=ordered, unread=unread) if self.keeps else {}

    def _times(self) -> Iterator[str]:
        own = package_of(self.program)
        for value, names in _parts(self.program):
            if isinstance(value, FunctionType):
                top = str(names.get("__name__")).partition(".")[0]
                user = owner_of(value.__code__.co_filename) is Owner.USER
                if user or top in own:
                    yield from filter(None, [tells_time(value)])

    def _unsettled(self, names: tuple[str, ...], sample: object) -> Unsettled:
        return Unsettled(
            "mechanism",
            f"{self.name}, which keeps something between questions that the same "
            f"questions change again: {', '.join(names)}",
            "answers that depend on nothing but the sample and the coins (what only remembers "
            "answers settles)",
            sample,
        )


# When two outcomes are the same, and how an outcome is written

_LONGEST_NAME = 200
_DEEPEST = 20
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_ATOMS = (int, float, complex, str, bytes, Fraction)
ONCE = (type(None), type(...), type(NotImplemented), enum.Enum, type)
"""The types of values that are there only once."""


def name_of_outcome(outcome: object) -> str:
    """Return the ``repr`` on one line, without parts that change from run to run."""
    text: str
    if type(outcome) is frozenset:
        # The order of a set of strings differs from run to run.
        text = f"frozenset({{{', '.join(sorted(map(name_of_outcome, outcome)))}}})"
    elif type(outcome) is tuple:
        text = f"({', '.join(map(name_of_outcome, outcome))})"
    else:
        try:
            text = " ".join(_ADDRESS.sub("", repr(outcome)).split())
        except Exception:  # a stranger's repr may raise anything
            text = f"<{type(outcome).__qualname__}>"
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}..."


def written(value: object, depth: int = 0, *, exactly: bool = False) -> str:
    """Return a text that is equal for values that are written alike, in all their parts.

    Numbers and texts carry their type, mappings and sets are sorted, and objects are written by
    their parts: all fields of a dataclass, even uncompared ones, or whatever copying would copy.

    Parameters
    ----------
    value
        What is written.
    depth
        The depth in nested objects.
    exactly
        Whether to refuse objects that can only be described, such as functions: two of them may
        have the same text.

    Raises
    ------
    InvalidInput
        A part could only be described.

    Examples
    --------
    >>> written(1), written(True), written((1.0, -0.0))
    ('1', 'True', '(1.0, -0.0)')
    >>> written(frozenset({"b", "a"}))
    "frozenset{'a', 'b'}"
    """
    kind = type(value)
    if isinstance(value, ONCE) or kind in (*_ATOMS, bool):
        return repr(value)
    if depth > _DEEPEST:
        return _only_described(value, repr(value), exactly)

    def inner(part: object) -> str:
        return written(part, depth + 1, exactly=exactly)

    if kind is tuple:
        return f"({', '.join(map(inner, value))})"  # type: ignore[call-overload]  # a tuple
    name = f"{kind.__module__}.{kind.__qualname__}" if exactly else kind.__qualname__
    # A class of somebody's own may keep more than its items.
    kept = getattr(value, "__dict__", None)
    more = inner(kept) if kept and not dataclasses.is_dataclass(value) else ""
    if isinstance(value, _ATOMS):  # of a class of its own, such as NumPy's
        return f"{name}({value!r}){more}"
    if isinstance(value, Mapping):
        parts = sorted(f"{inner(k)}: {inner(v)}" for k, v in value.items())
        return f"{name}{{{', '.join(parts)}}}{more}"
    if isinstance(value, Set):
        return f"{name}{{{', '.join(sorted(map(inner, value)))}}}{more}"
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        parts = [f"{f.name}={inner(getattr(value, f.name, None))}" for f in fields]
        known = {f.name for f in fields}
        extra = {key: part for key, part in (kept or {}).items() if key not in known}
        return f"{name}({', '.join(parts)}){inner(extra) if extra else ''}"
    if isinstance(value, Sequence):
        return f"{name}({', '.join(map(inner, value))}){more}"
    try:
        reduced = value.__reduce_ex__(4)
    except Exception:  # what cannot be copied is described
        return _only_described(value, name_of_outcome(value), exactly)
    if isinstance(reduced, str) or reduced[0] is not copyreg.__newobj__:  # type: ignore[attr-defined]  # what plain classes have
        return _only_described(value, name_of_outcome(value), exactly)
    return f"{name}{inner(tuple(reduced[1][1:]))}{inner(reduced[2])}"


def _only_described(value: object, text: str, exactly: bool) -> str:
    if exactly:
        wanted = "outcomes that can be written in full: numbers, text, tuples, sets, dataclasses"
        raise InvalidInput("outcome", described(value), wanted)
    return text


def labels_of(hypothesis: object, domain: Sequence[object]) -> tuple[tuple[object, int], ...]:
    """Return the table of a hypothesis; empty for any other object."""
    if isinstance(hypothesis, Mapping):
        label_of: Callable[[object], object] = hypothesis.__getitem__
    elif callable(hypothesis):
        label_of = hypothesis
    else:
        return ()
    labels = []
    for point in domain:
        try:
            label = label_of(point)
        except Exception:  # whatever a stranger raises, it is no hypothesis
            return ()
        if label not in (0, 1):
            return ()
        labels.append((point, int(label)))
    return tuple(labels)


# When are two outcomes the same? The rule of every audit, in one place

TABULATED = (
    "A hypothesis counts as the table of its labels on the domain: "
    "whoever receives the object may see more."
)
"""What is assumed where an outcome is a hypothesis that equals only itself."""

UNLIKE = "Equal outcomes count as the same, although some of them are not written alike"
"""How the sentence begins that is assumed of such outcomes; two of them end it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Tabulated:
    """A hypothesis that equals only itself, as the table of its labels on the domain.

    Attributes
    ----------
    description
        Its ``repr``, without addresses.
    labels
        Pairs of a point and its label, which alone count.
    """

    description: str = dataclasses.field(compare=False)
    labels: tuple[tuple[object, int], ...]

    def __call__(self, point: object, /) -> int:
        """Return the label of a point of the domain."""
        return dict(self.labels)[point]

    def __repr__(self) -> str:
        return self.description


def comparable_law(law: FiniteDistribution[object], domain: Sequence[object]) -> object:
    """Return a law with its outcomes as audits compare them: see :func:`comparable`."""
    if not any(_equals_only_itself(kind) for kind in set(map(type, law.numerators))):
        return law
    return law.map(lambda outcome: comparable(outcome, domain))


def _equals_only_itself(kind: Any) -> bool:
    return bool(kind.__eq__ is object.__eq__)


def comparable(outcome: object, domain: Sequence[object]) -> object:
    """Return an outcome as audits compare it.

    Parameters
    ----------
    outcome
        What an algorithm returned.
    domain
        The points on which hypotheses are tabulated.

    Raises
    ------
    InvalidInput
        It equals only itself, and is not a hypothesis.

    Examples
    --------
    >>> comparable((1, "a"), [0, 1])
    (1, 'a')
    >>> comparable(lambda x: x, [0, 1]) == comparable(lambda x: x % 2, [0, 1])
    True
    """
    if not _equals_only_itself(type(outcome)) or isinstance(outcome, ONCE):
        return outcome
    labels = labels_of(outcome, domain)
    if labels:
        if labels_of(outcome, domain) != labels:
            raise InvalidInput(
                "outcome",
                f"{name_of_outcome(outcome)}, which labels the domain otherwise when asked again",
                "a hypothesis that answers the same each time",
            )
        assume(TABULATED)
        return Tabulated(name_of_outcome(outcome), labels)
    raise InvalidInput(
        "outcome",
        f"{described(outcome)}, which equals only itself",
        "outcomes that compare by value: numbers, text, tuples, frozen dataclasses, or what has "
        "__eq__ and __hash__",
    )


class Forms:
    """The texts of outcomes, to detect equal ones with different texts."""

    # A cached property is no part of what a program keeps between questions, which this stands by.
    @functools.cached_property
    def _known(self) -> dict[object, tuple[bytes, object]]:
        return {}

    @functools.cached_property
    def _kinds(self) -> set[type]:
        return set()

    def note(self, outcome: Hashable) -> str:
        """Record the text of an outcome; return the assumption if an equal one has another text."""
        self._kinds.add(type(outcome))
        known = self._known.get(outcome)
        if known is not None and known[1] is outcome and type(outcome) in _ATOMS:
            return ""
        form = _quickly(outcome)
        if known is None:
            self._known[outcome] = form, outcome
        elif form != known[0] or not form:
            if known[1] is outcome and form:
                return f"{UNLIKE}: {_shortened(name_of_outcome(outcome))}, which was changed."
            here, there = written(outcome), written(known[1])
            if here == there:
                here, there = name_of_outcome(outcome), name_of_outcome(known[1])
            if here != there:
                return f"{UNLIKE}: {_shortened(there)} and {_shortened(here)}."
        return ""

    def note_law(self, law: object) -> str:
        """Do so for the outcomes of a law; other values have none."""
        if not isinstance(law, FiniteDistribution):
            return ""
        outcomes = law.numerators.keys()
        fresh: Iterable[Hashable] = outcomes
        if set(map(type, outcomes)) == {int} >= self._kinds:  # which are written alike when equal
            fresh = () if outcomes <= self._known.keys() else outcomes - self._known.keys()
        return next(filter(None, [self.note(outcome) for outcome in fresh]), "")


def _quickly(value: object) -> bytes:
    """Return bytes that are the same only for what is written alike; nothing if it has none."""
    if isinstance(value, enum.Enum | type):  # there only once, with what was set on it
        return name_of_outcome(sorted(vars(value).items())).encode()
    try:
        return marshal.dumps(value, 2)  # type: ignore[arg-type]  # it says if it cannot
    except ValueError:
        pass
    try:
        return pickle.dumps(value, 5)
    except Exception:  # a stranger's objects may raise anything
        return b""


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
