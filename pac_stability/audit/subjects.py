"""How an algorithm enters an audit: the accepted shapes, and how each is queried.

An algorithm is one of

1. an object with a method ``law``, or a function of the input that returns a law;
2. a *program*: a function of the input and of coins ``rng`` that draws only through them, whose
   law the tape enumerates;
3. a black box, a function of the input that tosses coins of its own. It has no known law, so
   only statistics apply.

Where predictions are audited, an algorithm may also be an object with a method ``probabilities``,
or a program of the sample, the point and the coins that returns a label. A learner of the first two
shapes also gives predictions: its outputs are hypotheses, which label the points. The outcomes of
:func:`as_written` are compared by their full text instead of ``==``.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import Never, Protocol, TypeAlias, TypeVar, cast

from pac_stability import data, learning
from pac_stability._alarm import TimeIsUp
from pac_stability.arguments import as_fraction, as_size, described, distinct
from pac_stability.arithmetic import Interval
from pac_stability.audit import labels
from pac_stability.audit.calling import Called, called, name_of
from pac_stability.audit.results import LAW, MEMORY, PROGRAM, AuditStopped, SubjectFailure, shown
from pac_stability.audit.watching.program import (
    Forms,
    comparable,
    comparable_law,
    namespaces_of,
    written,
)
from pac_stability.data.sample import BARE
from pac_stability.errors import BudgetExhausted, InvalidInput, Unanswerable
from pac_stability.learning import Probability, is_sklearns
from pac_stability.randomness import Coins, ExactGenerator, InexactDraw
from pac_stability.randomness.corrections import correction, own_draw
from pac_stability.randomness.horizon import Horizon, grid_now
from pac_stability.randomness.watch import HiddenDraw, Owner, assume, owner_of_frame, watched


def points_of(domain: int | Iterable[object], argument: str = "domain") -> tuple[object, ...]:
    """Return the points of a domain; a number m stands for 0, ..., m - 1.

    Raises
    ------
    InvalidInput
        The number is negative, or a point is repeated or not hashable.
    """
    if not isinstance(domain, Iterable):
        return tuple(range(as_size(domain, argument)))
    return distinct(domain, argument)


def points_in(universe: Iterable[object]) -> tuple[object, ...]:
    """Return the points in the elements of samples, each once."""
    return tuple(dict.fromkeys(z.point if isinstance(z, data.Example) else z for z in universe))


def universe_of(points: tuple[object, ...], labelled: bool) -> tuple[object, ...]:
    """Return the elements of samples: the labelled examples over the points, or the points."""
    return data.all_examples(points) if labelled else points


# How an algorithm enters an audit: the shapes that users may bring, and what each is asked

In_contra = TypeVar("In_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)
P = TypeVar("P")
AnyLaw: TypeAlias = data.Law[object, Probability]

# Made once: every answer of an audit is looked at.
_LISTS = (list, tuple)
_FRACTIONS = frozenset([Fraction])
_RATIO = Fraction.as_integer_ratio
_MADE = data.Deterministic.__module__


class HasLaw(Protocol[In_contra, Out_co]):
    """An algorithm that knows the exact law of its output."""

    def law(self, x: In_contra, /) -> data.Law[Out_co, Fraction | Interval]:
        """Return the law of the output on the input ``x``; enclosed when it is irrational."""
        ...


class Program(Protocol[In_contra, Out_co]):
    """An algorithm as an ordinary function that draws only through its argument ``rng``."""

    def __call__(self, x: In_contra, rng: ExactGenerator, /) -> Out_co:
        """Return the output on the input ``x`` with the coins ``rng``."""
        ...


Predictor: TypeAlias = learning.Predictor[P, Probability | int]
"""An algorithm that labels points, given a sample: it has ``probabilities(sample, points)``."""


class BlackBox(Protocol[In_contra, Out_co]):
    """An algorithm with its own coins that shows only its outputs."""

    def __call__(self, x: In_contra, /) -> Out_co:
        """Return one output on the input ``x``."""
        ...


class Estimator(Protocol):
    """An estimator with ``fit`` and ``predict``, from scikit-learn or with the same methods."""

    def fit(self, X: Never, y: Never, /) -> object:  # scikit-learn's name
        """Fit to rows of points, and their labels."""
        ...

    def predict(self, X: Never, /) -> object:  # scikit-learn's name
        """Return the labels of rows."""
        ...


LawSubject: TypeAlias = (
    HasLaw[Never, object] | Callable[[Never], AnyLaw] | Callable[[Never, ExactGenerator], object]
)
"""What can be asked for the law of its output."""

PredictionSubject: TypeAlias = (
    Predictor[Never]
    | LawSubject
    | Callable[[Never, Never], object]
    | Callable[[Never, Never, ExactGenerator], object]
    | Estimator
)
"""What can be asked for the probability of label 1 at points."""


@dataclass(frozen=True, slots=True)
class LawSource:
    """An algorithm that gives its law, sample by sample; its answers are checked."""

    name: str
    law: Callable[[object], object]
    understood: str
    assumes: tuple[str, ...] = ()
    columns: int = 1
    coins: bool | None = None
    run: bool = True

    def widen(self, horizon: Horizon) -> None:
        """From now on, resolve noisy numbers as far out as this."""
        if isinstance(self.law, _ExploredLaw):
            self.law.widen(horizon)

    @property
    def grid(self) -> int:
        """The number of grid steps in one unit of real-valued noise."""
        return self.law.horizon.grid if isinstance(self.law, _ExploredLaw) else grid_now()

    def monotone(self) -> bool:
        """Return whether the ends determine ratios of tails, or request wider windows.

        Raises
        ------
        Widened
            Further out they are.
        """
        return not isinstance(self.law, _ExploredLaw) or self.law.monotone()

    def row(self, sample: object) -> tuple[AnyLaw]:
        """Return the law of the output on a sample, alone in a row."""
        law = _asked(self.name, self.law, sample)
        if not isinstance(law, data.Law):
            name = self.name.rpartition(".")[2]
            name = name if name.isidentifier() else "f"
            better = own_draw(getattr(self.law, "law", self.law))
            better = better and f"; {better}"
            raise SubjectFailure(
                "mechanism",
                f"{described(law)} from {self.name} on the sample {shown(sample)}",
                "a FiniteDistribution, or a program of the coins that it is given; only "
                "--black-box tests a function that draws by itself (wrap a function without coins: "
                f"pac_stability.data.Deterministic({name}))" + better,
                sample,
            )
        return (law,)


@dataclass(frozen=True, slots=True)
class PredictionSource:
    """An algorithm that gives predictions, sample by sample; its answers are checked."""

    name: str
    probabilities: Callable[[object, tuple[object, ...]], object]
    points: tuple[object, ...]
    understood: str
    assumes: tuple[str, ...] = ()
    advice: str = ""
    coins: bool | None = None
    run: bool = True

    @property
    def columns(self) -> int:
        """The number of predictions in a row: one for each point."""
        return len(self.points)

    def row(self, sample: object) -> tuple[Probability, ...]:
        """Return the probabilities of label 1 at the points, given a sample."""
        ask = self.probabilities
        given = _asked(self.name, lambda asked: ask(asked, self.points), sample, self.advice)
        # Numbers are looked at one by one only where something is to be refused or converted.
        if (
            isinstance(given, _LISTS)
            and len(given) == len(self.points)
            and _FRACTIONS.issuperset(map(type, given))
            and all(0 <= above <= below for above, below in map(_RATIO, given))
        ):
            return tuple(given)
        # Iterated, a mapping gives its points, a set any order, and a string its characters.
        values: list[object] = []
        if isinstance(given, Iterable) and not isinstance(given, Mapping | Set | str | bytes):
            # An iterator may raise as well, and need not end.
            listed = islice(given, len(self.points) + 1)
            _asked(self.name, lambda _: values.extend(listed), sample)
        if len(values) != len(self.points):
            raise SubjectFailure(
                "mechanism",
                f"{described(given)} from {self.name} on the sample {shown(sample)}",
                f"{len(self.points)} probabilities, one for each point",
                sample,
            )
        return tuple(
            self._checked(value, point, sample)
            for value, point in zip(values, self.points, strict=True)
        )

    def _checked(self, value: object, point: object, sample: object) -> Probability:
        """Return a probability, refusing what is none."""
        if type(value) is not Fraction and not isinstance(value, Interval):
            try:
                value = as_fraction(value, "mechanism")
            except InvalidInput as error:
                raise self._refused(error.given, point, sample, error.wanted) from None
        low, high = (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
        # Integers are compared faster than fractions.
        if low.numerator < 0 or high.numerator > high.denominator:
            raise self._refused(described(value), point, sample, "a probability")
        return low if low == high else value

    def _refused(self, given: str, point: object, sample: object, wanted: str) -> SubjectFailure:
        where = f"at the point {described(point)}, given the sample {shown(sample)}"
        return SubjectFailure("mechanism", f"{given} from {self.name} {where}", wanted, sample)


Source: TypeAlias = LawSource | PredictionSource
"""What gives a row of values for each sample.

``name`` and ``understood`` are for messages and reports, ``assumes`` says what is assumed of its
answers. ``run`` is whether the audit runs it: what gives its law may keep any state. ``coins`` is
whether it takes coins, ``None`` if it gives its law, which the audit trusts.
"""


def law_source(mechanism: LawSubject, domain: Sequence[object] = ()) -> LawSource:
    """Return an algorithm as a source of laws.

    Parameters
    ----------
    mechanism
        The algorithm.
    domain
        The points on which to compare hypotheses that equal only themselves: see
        :mod:`pac_stability.audit.watching.program`.

    Raises
    ------
    InvalidInput
        It has none of the shapes that have a law.
    """
    points = tuple(domain)
    mechanism = cast("LawSubject", called(mechanism))
    shape = labels.shape_of(mechanism, predicts=False)
    law: Callable[[object], object]
    inner = program_of(mechanism)
    if inner is None:
        law = _ComparableLaw(law_function(mechanism), points)
        # What people make of a function, and not what knows its law.
        made = shape is labels.Shape.LAW_FUNCTION or type(mechanism).__module__ == _MADE
        return LawSource(
            name_of(mechanism), law, _understood(shape, mechanism), _assumed(shape),
            coins=False if made else None, run=isinstance(mechanism, data.Deterministic),
        )  # fmt: skip
    limits = mechanism if isinstance(mechanism, data.FromProgram) else data.FromProgram(inner)
    law = _ExploredLaw(inner, limits.max_paths, limits.max_draws, points)
    shape = labels.Shape.PROGRAM
    understood = _understood(shape, inner)
    return LawSource(name_of(mechanism), law, understood, _assumed(shape), coins=True)


class Widened(Unanswerable):
    """A law resolves noisy numbers further out than earlier ones, so all samples are queried again.

    Attributes
    ----------
    horizon
        How far out.
    """

    def __init__(self, horizon: Horizon) -> None:
        super().__init__("numbers with noise, told apart further out than in the answers before")
        self.horizon = horizon

    def __reduce__(self) -> tuple[type[Widened], tuple[Horizon]]:
        return type(self), (self.horizon,)


@dataclass(frozen=True, slots=True)
class _ExploredLaw:
    """The law of a program, as far as its paths end, in one window for all samples."""

    program: Callable[[object, Coins], object]
    max_paths: int
    max_draws: int
    domain: tuple[object, ...]
    horizon: Horizon = field(default_factory=Horizon, compare=False)
    forms: Forms = field(default_factory=Forms, compare=False, repr=False)

    def __call__(self, sample: object) -> object:
        horizon = self.horizon.copy()
        law = data.explored_law(
            lambda rng: self.program(sample, rng),
            max_paths=self.max_paths,
            max_draws=self.max_draws,
            horizon=horizon,
            named=self._named,
        )
        if horizon.version != self.horizon.version:
            raise Widened(horizon)
        return law

    def _named(self, outcome: object) -> object:
        outcome = comparable(outcome, self.domain)
        if sentence := self.forms.note(outcome):
            assume(sentence)
        return outcome

    def monotone(self) -> bool:
        """Return whether no ratio of tails is larger than at their ends; see ``Horizon``."""
        horizon = self.horizon.copy()
        known = horizon.monotone()
        if known and horizon.version != self.horizon.version:
            raise Widened(horizon)
        return known

    def widen(self, horizon: Horizon) -> None:
        """Take another window from now on."""
        self.horizon.become(horizon)


def prediction_source(mechanism: PredictionSubject, points: tuple[object, ...]) -> PredictionSource:
    """Return an algorithm as a source of predictions at the given points.

    Raises
    ------
    InvalidInput
        It has none of the shapes that give predictions.
    """
    given: object = called(mechanism, predicts=True)
    mechanism = cast("PredictionSubject", given)
    shape = labels.shape_of(given, predicts=True)
    understood = _understood(shape, given)
    said: tuple[str, ...] = ()
    name, advice, coins = name_of(given), "", shape.coins
    ask: Callable[[object, tuple[object, ...]], object]
    own = labels.method_of(mechanism, "probabilities")
    if shape is labels.Shape.PREDICTOR and own is not None:
        ask = own
    elif shape is labels.Shape.ESTIMATOR:
        fitting = given if isinstance(given, labels.Fitting) else labels.Fitting.of(given)
        ask = cast("Callable[[object, tuple[object, ...]], object]", fitting)
        understood, said = fitting.understood, (labels.SEEDED,) * fitting.seeded
        said += (labels.ERRORS,) * (labels.ANSWERS in points)
        name, advice = name_of(fitting.estimator), fitting.advice
        coins = True if fitting.draws else None if is_sklearns(fitting.estimator) else False
    elif shape is labels.Shape.POINT_FUNCTION:
        ask = labels.LabelFunction(cast("Callable[[object, object], object]", mechanism))
    elif shape is labels.Shape.POINT_PROGRAM:
        ask = labels.LabelProgram(
            cast("Callable[[object, object, ExactGenerator], object]", mechanism)
        )
    elif shape is labels.Shape.PROGRAM and not isinstance(mechanism, data.FromProgram):
        ask = labels.LearnerProgram(cast("Callable[[object, ExactGenerator], object]", mechanism))
        understood = f"{understood} that returns a hypothesis"
    else:
        ask = labels.LearnerLaw(law_function(mechanism))
        understood = f"{understood} on hypotheses"
    return PredictionSource(
        name, ask, points, understood, (*_assumed(shape), *said), advice, coins, shape.runs
    )


@dataclass(frozen=True, slots=True)
class _ComparableLaw:
    """An algorithm that gives its law, whose outcomes are made comparable."""

    law: Callable[[object], object]
    domain: tuple[object, ...]

    def __call__(self, sample: object) -> object:
        law = self.law(sample)
        return comparable_law(law, self.domain) if isinstance(law, data.FiniteDistribution) else law


def _assumed(shape: labels.Shape) -> tuple[str, ...]:
    """Return what is assumed of an algorithm: one that is run, or one that is taken at its word."""
    return PROGRAM if shape.runs else LAW, MEMORY


def _understood(shape: labels.Shape, mechanism: object) -> str:
    """Return what an algorithm is, and how it is called where that is told by names."""
    return shape.value + (f", called as {mechanism.how}" if isinstance(mechanism, Called) else "")


def program_of(mechanism: object) -> Callable[[object, Coins], object] | None:
    """Return an algorithm as a program of (sample, coins), if it is one."""
    if isinstance(mechanism, data.FromProgram):
        return cast("Callable[[object, Coins], object]", called(mechanism.program))
    mechanism = called(mechanism)
    if labels.shape_of(mechanism, predicts=False) is not labels.Shape.PROGRAM:
        return None
    return cast("Callable[[object, Coins], object]", mechanism)


def law_function(mechanism: object) -> Callable[[object], object]:
    """Return the function that gives the law of an algorithm that is not a program."""
    if isinstance(mechanism, data.Deterministic):
        return data.Deterministic(
            cast("Callable[[object], object]", called(mechanism.function))
        ).law
    mechanism = called(mechanism)
    return labels.method_of(mechanism, "law") or cast("Callable[[object], object]", mechanism)


def _asked(
    name: str, question: Callable[[object], object], sample: object, advice: str = ""
) -> object:
    """Ask for one answer; what the algorithm raises becomes an error that names the sample."""
    try:
        return watched(lambda: question(sample), namespaces_of(question))
    except (HiddenDraw, InexactDraw) as error:
        given = f"{error.given}, from {name} on the sample {shown(sample)}"
        raise SubjectFailure("mechanism", given, f"{error.wanted}{advice}", sample) from error
    except BudgetExhausted as error:  # the tape's
        raise AuditStopped(f"{name} on the sample {shown(sample)}: {error}") from error
    except Unanswerable:  # by design, and it says why
        raise
    except (KeyboardInterrupt, TimeIsUp) as stop:
        stop.add_note(f" on the sample {shown(sample)}")
        raise
    # An algorithm that calls sys.exit() must not end an audit as if it had succeeded.
    except (Exception, SystemExit) as error:
        reason, wanted = repr(error), "an answer for every sample"
        if isinstance(error, InvalidInput):  # it says what it wants
            reason, wanted = f"{error.argument}: got {error.given}", error.wanted
        given = f"an error from {name} on the sample {shown(sample)}: {reason}"
        raise SubjectFailure("mechanism", given, f"{wanted}{_remedy(error)}", sample) from error


def _remedy(error: BaseException) -> str:
    """Return the line to write in place of one that gave coins to what takes none, or an option."""
    step, better = error.__traceback__, ""
    while isinstance(error, TypeError | AttributeError) and step is not None:
        if owner_of_frame(step.tb_frame) is Owner.USER:
            better = correction(step.tb_frame, step.tb_lineno) or better
        step = step.tb_next
    if isinstance(error, IndexError) and (frames := traceback.extract_tb(error.__traceback__)):
        # That of random includes its end, and that of NumPy, which was meant, does not.
        line = frames[-1].line or ""
        better = line.replace(".randint(", ".integers(") if ".randint(" in line else ""
    if labels.MAY_ERR in getattr(error, "__notes__", ()) and not better:
        return f", or {labels.MAY_ERR}"
    if "'Example'" in str(error) and isinstance(error, TypeError) and not better:
        return f", or {BARE}"
    return f"; write: {better}" if better else ""


# Algorithms whose outcomes are told apart by how they are written, and not by ``==``


def as_written(mechanism: LawSubject) -> LawSubject:
    """Return the algorithm with outcomes compared by their full text.

    An audit treats equal outcomes as one, and states this as an assumption if equal outcomes have
    different texts. Here outcomes are texts: 1, ``True`` and 1.0 are three outcomes, and two
    objects differ even if they differ only in a field that their equality ignores.

    Parameters
    ----------
    mechanism
        An algorithm with a law. In a law that an object returns itself, equal outcomes are already
        one.

    Raises
    ------
    InvalidInput
        It has no law. On use: an outcome can only be described, such as a function.

    Examples
    --------
    >>> def typed(sample, rng):
    ...     return True if sample.labels[0] else 1
    >>> from pac_stability.audit import differential_privacy
    >>> differential_privacy(typed, 1, 1).value, differential_privacy(as_written(typed), 1, 1).value
    (Fraction(1, 1), inf)
    """
    program = program_of(mechanism)
    symmetric = bool(getattr(mechanism, "symmetric", False))
    if program is not None:
        run = _Written(program, symmetric)
        return replace(mechanism, program=run) if isinstance(mechanism, data.FromProgram) else run
    return _WrittenLaw(law_function(mechanism), symmetric)


@dataclass(frozen=True, slots=True)
class _Written:
    """A program whose outcomes are texts."""

    program: Callable[[object, Coins], object]
    symmetric: bool

    def __call__(self, sample: object, rng: Coins) -> str:
        return written(self.program(sample, rng), exactly=True)


@dataclass(frozen=True, slots=True)
class _WrittenLaw:
    """An algorithm whose law is one of texts."""

    function: Callable[[object], object]
    symmetric: bool

    def law(self, sample: object) -> AnyLaw:
        law = self.function(sample)
        if not isinstance(law, data.Law):
            raise InvalidInput("mechanism", described(law), "a FiniteDistribution")
        return law.map(lambda outcome: written(outcome, exactly=True))
