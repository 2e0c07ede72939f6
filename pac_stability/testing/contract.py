"""The contract of every learner: it is what it declares, and its members are consistent.

A check is a learner, a declared notion, and the finite instances that decide it; it reports the
smallest counterexample, in words. Besides the promises, it checks on small samples: is the law that
of the runs? do predictions follow it? are hypotheses reusable values? does the order matter as
declared? is a copy the same learner? does it refuse bad input?
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import partial
from itertools import islice, permutations, product
from typing import TypeAlias, TypeVar, cast

from pac_stability import data, learning
from pac_stability.arguments import AnyNumber, described
from pac_stability.arithmetic import EpsilonLike, Interval
from pac_stability.arithmetic.interval import exact
from pac_stability.audit import About, AuditResult, Notion, Options, PairWitness, Verdict
from pac_stability.audit.calling import name_of
from pac_stability.audit.reports.text import (
    answer_in_words,
    claim_in_words,
    conclusion,
    differing,
    event_in_words,
    in_words,
    marked,
)
from pac_stability.classes import Hypothesis
from pac_stability.errors import BudgetExhausted, InvalidInput, Unanswerable
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.testing.plugin import TALLY

# Counterexamples

_MOST_LINES = 12


def told(name: str, result: AuditResult) -> str:
    """Describe what is wrong with a learner, and on which instance.

    Parameters
    ----------
    name
        The name of the learner.
    result
        The audit of the smallest instance that breaks the declaration.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.data import Deterministic
    >>> first = Deterministic(lambda records: records[0])
    >>> found = audit.differential_privacy(first, "ab", 2, claim=1, labelled=False)
    >>> print(told("first", found))
    first declares differential privacy with epsilon at most 1 (a factor of 2.71828), but
      epsilon infinite: no finite one is enough.
    Smallest counterexample: replacing one example, n = 2,
      S  = ['a']  'a'
      S' = ['b']  'a'
      {'a'}: probability 1 on the sample, 0 on its neighbour
    """
    notion, instance = result.instance.notion, result.instance
    claim = "nothing" if result.claim is None else claim_in_words(notion, result.claim)
    lines = [f"{name} declares {notion.title} with {claim}, but"]
    if result.verdict is Verdict.REFUTED:
        lines.append(f"  {answer_in_words(result)}.")
    else:
        lines.append(f"  {conclusion(result)}: {answer_in_words(result)}.")
    witness = result.witness
    if isinstance(witness, PairWitness):
        steps = {"replace-one": "replacing one example", "add-remove": "adding or removing one"}
        lines.append(
            f"Smallest counterexample: {steps[instance.relation.value]}, n = {instance.n},"
        )
        here, there = differing(witness.sample, witness.neighbour)
        lines.append(f"  S  = {marked(witness.sample, here)}")
        lines.append(f"  S' = {marked(witness.neighbour, there)}")
        if instance.points:
            lines.append(f"  prediction at the point {in_words(witness.point)}")
        lines.append(f"  {event_in_words(witness)}")
    elif witness is not None and instance.distribution is not None:
        lines.append(f"Smallest counterexample: n = {instance.n} draws from")
        weights = instance.distribution.items()
        lines += _short([f"  {in_words(z)}: {exact(weight)}" for z, weight in weights])
        lines.append(f"What attains the value, for each of {len(witness.strategy):,} outputs:")
        lines += _short([f"  {in_words(o)}: {_choice(c)}" for o, c in witness.strategy])
    return "\n".join(lines)


def _choice(choice: object) -> str:
    if isinstance(choice, tuple):
        return f"{{{', '.join(map(in_words, choice))}}}"
    return in_words(choice)


def _short(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    return [*lines[:_MOST_LINES], f"  ... ({len(lines):,})"]


# What a learner says of itself

T = TypeVar("T")

Privacy: TypeAlias = PrivacyGuarantee | EpsilonLike
"""An epsilon with delta = 0, or both as a guarantee."""

AtSize: TypeAlias = T | Callable[[int], T]
"""What is declared: the same for all sample sizes, or a function of the size n."""


_PARAMETERS: dict[Notion, type] = {
    Notion.PERFECT_GENERALIZATION: learning.PerfectGeneralization,
    Notion.ROBUST_GENERALIZATION: learning.RobustGeneralization,
    Notion.ACCURACY: learning.Accuracy,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Declares:
    """What a learner declares, notion by notion; an omitted notion is not checked.

    Each may be a function of the sample size n, such as ``lambda n: Fraction(1, n)``; ``None``
    declares nothing for that size.

    Attributes
    ----------
    uniform_stability
        The gamma of predictions (DF20, Section 2).
    private_prediction, differential_privacy
        The epsilon of predictions, or of outputs, or a ``PrivacyGuarantee`` if delta is not 0.
    total_variation_stability
        The gamma of outputs.
    zero_concentrated_privacy
        The rho of outputs; a value that no enclosure decides is not accepted.
    perfect_generalization, robust_generalization
        The parameters, for all distributions.
    global_stability
        The eta, for all checked distributions (BLM20, Definition 4).
    accuracy
        The parameters, for all checked distributions.

    Raises
    ------
    InvalidInput
        Nothing is declared.

    Examples
    --------
    >>> from fractions import Fraction
    >>> said = Declares(uniform_stability=lambda n: Fraction(1, n), differential_privacy=1.0)
    >>> [notion.name for notion in said.notions]
    ['uniform-stability', 'differential-privacy']
    >>> said.at(Notion.UNIFORM_STABILITY, 4)
    Fraction(1, 4)
    """

    uniform_stability: AtSize[AnyNumber | None] = None
    private_prediction: AtSize[Privacy | None] = None
    differential_privacy: AtSize[Privacy | None] = None
    total_variation_stability: AtSize[AnyNumber | None] = None
    zero_concentrated_privacy: AtSize[AnyNumber | None] = None
    perfect_generalization: AtSize[learning.PerfectGeneralization | None] = None
    robust_generalization: AtSize[learning.RobustGeneralization | None] = None
    global_stability: AtSize[AnyNumber | None] = None
    accuracy: AtSize[learning.Accuracy | None] = None

    def __post_init__(self) -> None:
        if not self.notions:
            raise InvalidInput("declares", "nothing", f"one of {[f.name for f in fields(self)]}")

    @property
    def notions(self) -> tuple[Notion, ...]:
        """The declared notions."""
        named = (field.name for field in fields(self))
        said = (name for name in named if self._said(name) is not None)
        return tuple(Notion.named(name.replace("_", "-")) for name in said)

    def __call__(self, n: int, /) -> learning.Promises:
        """Return what is declared for samples of size n: a learner's ``promises`` can be this."""
        said = {notion: self.at(notion, n) for notion in self.notions}
        return {notion: value for notion, value in said.items() if value is not None}

    def at(self, notion: Notion, n: int) -> object:
        """Return the declared value of a notion for samples of size n; ``None`` if nothing is.

        Raises
        ------
        InvalidInput
            parameters of several numbers are not returned as such.
        """
        name = notion.name.replace("-", "_")
        said = self._said(name)
        value = said(n) if callable(said) else said
        wanted = _PARAMETERS.get(notion, object)
        if value is not None and not isinstance(value, wanted):
            raise InvalidInput(name, described(value), f"{wanted.__name__}(...)")
        return value

    def _said(self, name: str) -> object:
        said: object = getattr(self, name)
        return said


@dataclass(frozen=True, slots=True)
class Promised:
    """What a learner promises, at the checked sizes.

    Attributes
    ----------
    promises
        The mapping from a notion to its value, for each size.
    sizes
        The sizes.
    """

    promises: Callable[[int], learning.Promises]
    sizes: tuple[int, ...]

    @property
    def notions(self) -> tuple[Notion, ...]:
        """The notions with a promise at one of the sizes."""
        listed = dict.fromkeys(notion for n in self.sizes for notion in self.promises(n))
        return tuple(notion for notion in listed if isinstance(notion, Notion))

    def at(self, notion: Notion, n: int) -> object:
        """Return the promised value of a notion for samples of size n; ``None`` if nothing is."""
        return self.promises(n).get(notion)


def declared_by(
    learner: object, declares: Declares | None = None, sizes: tuple[int, ...] = ()
) -> Declares | Promised:
    """Return what a learner declares.

    Parameters
    ----------
    learner
        The learner.
    declares
        The declaration; by default its ``promises``, or its attribute ``declares``.
    sizes
        The sizes of samples on which to check promises.

    Raises
    ------
    InvalidInput
        The learner has none of these.
    """
    promises = getattr(learner, "promises", None)
    if declares is None and callable(promises):
        return Promised(promises, sizes)
    said = getattr(learner, "declares", None) if declares is None else declares
    if not isinstance(said, Declares):
        wanted = "a Declares(...) as an argument, or what the learner `promises`"
        raise InvalidInput("declares", described(said), wanted)
    return said


# One check of a notion

MOST_SAMPLES = {"quick": 2_000, "standard": 100_000, "deep": 10_000_000}
"""How many samples a check asks about at most, for each budget."""

ONLY_PAIRS = {"labelled", "relation", "group_size", "max_pairs"}
"""The options that audits over distributions do not have."""

World: TypeAlias = tuple[
    tuple[object, ...], tuple[object, ...], data.FiniteDistribution[object] | None
]
"""What samples are made of, the points in it, and its distribution if the notion has one."""


class CheckFailed(AssertionError):
    """A learner is not what it declares, or nothing could be examined; the message says which."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The instances on which checks decide.

    Attributes
    ----------
    elements
        The points of samples, or their examples. Instances use the first of them, in growing
        numbers.
    sizes
        The sizes of the samples.
    distributions
        The distributions for notions that need one; empty means the uniform ones over the first
        elements.
    budget
        One of ``tally.BUDGETS``; ``None`` means the budget of the running tests.
    options
        The options of the audits.
    """

    elements: tuple[object, ...]
    sizes: tuple[int, ...]
    distributions: tuple[data.FiniteDistribution[object], ...]
    budget: str | None
    options: Options

    @property
    def most_samples(self) -> int:
        """The most samples of a check."""
        return MOST_SAMPLES[self.budget or TALLY.budget]


@dataclass(frozen=True, slots=True)
class Checked:
    """How much a passed check examined.

    Attributes
    ----------
    notion
        What was checked.
    instances, samples, pairs
        The numbers of finite instances, of samples, and of ordered pairs of neighbours.
    left
        Instances that the budget excluded.
    """

    notion: Notion
    instances: int = 0
    samples: int = 0
    pairs: int = 0
    left: int = 0

    def __str__(self) -> str:
        text = f"{self.notion.title}: {self.instances:,} instances, {self.samples:,} samples"
        if self.pairs:
            text += f", {self.pairs:,} pairs"
        return f"{text}; {self.left:,} instances beyond the budget" if self.left else text


@dataclass(frozen=True, slots=True)
class _Instance:
    """One finite instance: what samples are made of, or their distribution, and their size."""

    universe: tuple[object, ...]
    distribution: data.FiniteDistribution[object] | None
    points: tuple[object, ...]
    n: int
    samples: int


@dataclass(frozen=True, slots=True)
class Check:
    """A check of one notion; call it to run it.

    Attributes
    ----------
    learner
        The learner, in any shape that :mod:`pac_stability.audit` takes.
    notion
        What is checked.
    declares
        What the learner declares.
    scope
        The instances that decide.
    """

    learner: object
    notion: Notion
    declares: Declares | Promised
    scope: Scope

    @property
    def name(self) -> str:
        """The learner and the notion, as an identifier of a test."""
        return f"{name_of(self.learner)}-{self.notion.name}"

    def __call__(self) -> Checked:
        """Run the check, the instances with fewest samples first.

        Returns
        -------
        Checked
            How much was examined, never nothing.

        Raises
        ------
        CheckFailed
            The learner is not what it declares (on the smallest instance that shows it), bounds
            do not settle it, or no instance was within the scope and the budget.
        SubjectFailure
            The learner raised an exception, or returned an invalid answer.
        """
        __tracebackhide__ = True  # pytest then shows the test, and what is wrong with the learner
        TALLY.begin(self.learner)
        done = Checked(self.notion)
        instances = sorted(self._instances(), key=lambda instance: instance.samples)
        for place, instance in enumerate(instances):
            if done.samples + instance.samples > self.scope.most_samples:
                left = len(instances) - place
                done = Checked(self.notion, done.instances, done.samples, done.pairs, left)
                break
            result = self._audited(instance)
            TALLY.samples += result.counts.datasets
            TALLY.pairs += result.counts.pairs
            if result.verdict is not Verdict.VERIFIED:
                raise CheckFailed(told(name_of(self.learner), result))
            done = Checked(
                self.notion,
                done.instances + 1,
                done.samples + result.counts.datasets,
                done.pairs + result.counts.pairs,
            )
        if not done.samples:
            raise CheckFailed(
                f"{name_of(self.learner)}: {self.notion.title} was not checked at all: "
                + self._why_nothing(instances)
            )
        return done

    def _why_nothing(self, instances: Sequence[_Instance]) -> str:
        if instances:
            return (
                f"the smallest instance has {instances[0].samples:,} samples, and the budget "
                f"allows {self.scope.most_samples:,}"
            )
        return "no sample size has both a declaration and an instance"

    def _instances(self) -> Iterator[_Instance]:
        for n in self.scope.sizes:
            if self.declares.at(self.notion, n) is None:
                continue
            for universe, points, law in self._worlds():
                k = len(universe)
                # One element has no neighbours.
                if k > 1 or not self.notion.about.pairs:
                    yield _Instance(universe, law, points, n, self._samples(k, n))

    def _worlds(self) -> Iterator[World]:
        if not self.notion.about.pairs and self.scope.distributions:
            for given in self.scope.distributions:
                yield given.support, (), given
            return
        elements = self.scope.elements
        for size in range(1, len(elements) + 1):
            universe, points = self._universe(elements[:size])
            if self.notion.about.pairs:
                yield universe, points, None
            else:
                yield universe, points, data.FiniteDistribution.uniform(universe)

    def _universe(
        self, elements: tuple[object, ...]
    ) -> tuple[tuple[object, ...], tuple[object, ...]]:
        if all(isinstance(element, data.Example) for element in elements):
            given = cast("tuple[data.Example[object], ...]", elements)
            return elements, tuple(dict.fromkeys(example.point for example in given))
        if self.scope.options.get("labelled", True):
            return data.all_examples(elements), elements
        return elements, elements

    def _samples(self, k: int, n: int) -> int:
        own = getattr(self.learner, "symmetric", False)
        return data.count_multisets(k, n) if self.scope.options.get("symmetric", own) else k**n

    def _audited(self, instance: _Instance) -> AuditResult:
        options: dict[str, object] = {**self.scope.options}
        options |= _claimed(self.notion, self.declares.at(self.notion, instance.n))
        if instance.distribution is not None:
            for name in ONLY_PAIRS & options.keys():
                del options[name]
            return self.notion.ask(self.learner, instance.distribution, instance.n, **options)
        # The universe is spelled out, so that one call serves points, examples and records.
        options["labelled"] = False
        if self.notion.about is About.PREDICTIONS:
            options["points"] = instance.points
        return self.notion.ask(self.learner, instance.universe, instance.n, **options)


def _claimed(notion: Notion, said: object) -> dict[str, object]:
    """Return what is declared by the names that the audit has: a number, or several in a record."""
    if not is_dataclass(said):
        return {"claim": said}
    given = {field.name: getattr(said, field.name) for field in fields(said)}
    if "neighbours" in given:  # as guarantees call it
        given["relation"] = given.pop("neighbours")
    return {"claim": given.pop(notion.parameter.name), **given}


# Whether its members say the same thing

MOST_RUNS = {"quick": 40, "standard": 400, "deep": 4_000}
"""On how many samples a question is asked at most, for each budget."""

AnyLearner: TypeAlias = learning.Learner[Hashable]
AnySample: TypeAlias = data.Sample[Hashable]
Ask: TypeAlias = Callable[[AnyLearner, AnySample, tuple[Hashable, ...]], None]
"""A question on one sample; what it finds wrong raises :class:`CheckFailed`."""

MEMBERS = ("law", "run", "probabilities", "predict", "promises")


def is_learner(value: object) -> bool:
    """Return whether a value has the members of a :class:`~pac_stability.learning.Learner`."""
    return hasattr(value, "symmetric") and all(
        callable(getattr(value, member, None)) for member in MEMBERS
    )


@dataclass(frozen=True, slots=True)
class Held:
    """A part of the contract that a learner keeps.

    Attributes
    ----------
    question
        What was asked.
    samples
        The number of samples that were checked, at least one.
    """

    question: str
    samples: int
    pairs: int = 0

    def __str__(self) -> str:
        return f"{self.question.replace('-', ' ')}: {self.samples:,} samples"


@dataclass(frozen=True, slots=True)
class ContractCheck:
    """One check of the contract. Call it to ask.

    Attributes
    ----------
    learner
        The learner.
    question
        One of :data:`QUESTIONS`.
    scope
        The samples.
    """

    learner: AnyLearner
    question: str
    scope: Scope

    @property
    def name(self) -> str:
        """The learner and the check, as an identifier of a test."""
        return f"{name_of(self.learner)}-{self.question}"

    def __call__(self) -> Held:
        """Ask the question on the samples of the scope.

        Returns
        -------
        Held
            On how many samples it was answered, never none.

        Raises
        ------
        CheckFailed
            The answer is wrong, or on no sample is there one.
        """
        __tracebackhide__ = True
        TALLY.begin(self.learner)
        answered, reason = 0, "no sample of these sizes"
        for sample in samples_of(self.learner, self.scope):
            try:
                QUESTIONS[self.question](self.learner, sample, points_of(self.scope))
            except BudgetExhausted as error:  # too long a tape: another sample may have a short one
                reason = str(error)
                continue
            except CheckFailed as failure:
                where = f"{name_of(self.learner)}, on {sample!r}"
                raise CheckFailed(f"{where}: {failure}") from None
            answered += 1
        TALLY.samples += answered
        if not answered:
            raise CheckFailed(f"{self.name} was not checked at all: {reason}")
        return Held(self.question, answered)


def points_of(scope: Scope) -> tuple[Hashable, ...]:
    """Return the points on which hypotheses are compared."""
    points = (e.point if isinstance(e, data.Example) else e for e in scope.elements)
    return tuple(dict.fromkeys(points))


def samples_of(learner: AnyLearner, scope: Scope) -> Iterator[AnySample]:
    """Yield samples of each size that the learner accepts, evenly spread over all samples."""
    given = [e for e in scope.elements if isinstance(e, data.Example)]
    universe = given if len(given) == len(scope.elements) else data.all_examples(scope.elements)
    least = least_examples(learner)
    sizes = [n for n in scope.sizes if n >= least]
    most = MOST_RUNS[scope.budget or TALLY.budget]
    for n in sizes:
        step = max(1, len(universe) ** n * len(sizes) // most)
        # An odd step visits all remainders, so that the last examples change as well.
        for drawn in islice(product(universe, repeat=n), 0, None, step | 1):
            yield data.Sample.from_examples(drawn)


def least_examples(learner: object) -> int:
    """Return the fewest examples that a learner accepts, if it declares this."""
    least = getattr(learner, "least_examples", 0)
    return least if isinstance(least, int) else 0


def _law(learner: AnyLearner, sample: AnySample) -> data.FiniteDistribution[Hypothesis] | None:
    """Return the law; nothing where there is none by design."""
    try:
        return learner.law(sample)
    except BudgetExhausted:
        raise
    except Unanswerable:
        return None


def _law_of_runs(learner: AnyLearner, sample: AnySample, _: object) -> None:
    law = _law(learner, sample)
    try:
        drawn = data.enumerate_law(partial(learner.run, sample))
    except BudgetExhausted:
        raise
    except Unanswerable as error:
        if law is not None:
            raise CheckFailed(f"there is a law, but no run: {error}") from None
        return
    if drawn != law:
        raise CheckFailed(f"the law is {law}, but that of the runs is {drawn}")


def _predictions(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    said = tuple(learner.probabilities(sample, points))
    law = _law(learner, sample)
    if len(said) != len(points):
        raise CheckFailed(f"{len(said)} probabilities for {len(points)} points")
    for x, p in zip(points, said, strict=True):
        if not 0 <= _end(p, lower=True) <= _end(p, lower=False) <= 1:
            raise CheckFailed(f"the probability of label 1 at {x!r} is {p}")
        if law is not None and law.expectation(lambda h, x=x: h(x)) != p:  # type: ignore[misc]  # a default binds it
            raise CheckFailed(f"at {x!r} it says {p}, and by its law it is another number")
        if isinstance(p, Interval):
            continue  # no tape lists the runs of a coin that is irrational
        labels = data.enumerate_law(partial(learner.predict, sample, x))
        if labels.probability(1) != p or labels.probability(0) != 1 - p:
            raise CheckFailed(f"at {x!r} it says {p}, but predicts by {labels}")


def _end(p: learning.Probability | int, *, lower: bool) -> Fraction:
    if not isinstance(p, Interval):
        return Fraction(p)
    return p.lower if lower else p.upper


def _hypotheses(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    law = _law(learner, sample)
    for h in () if law is None else law.support:
        if any(h(x) not in (0, 1) for x in points):
            raise CheckFailed(f"{h!r} gives a label that is not 0 or 1")
        twin = pickle.loads(pickle.dumps(h))  # noqa: S301  # written here
        if twin != h or hash(twin) != hash(h):
            raise CheckFailed(f"{h!r} does not equal a copy of it")
        if " at 0x" in repr(h):
            raise CheckFailed(f"{h!r} is printed by its address")


def _order(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    if not learner.symmetric:
        return
    first = _answer(learner, sample, points)
    for order in islice(permutations(sample), 24):
        other = data.Sample.from_examples(order)
        if _answer(learner, other, points) != first:
            raise CheckFailed(f"it says that the order does not matter, but it does on {other!r}")


def _copy(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    try:
        twin = pickle.loads(pickle.dumps(learner))  # noqa: S301  # written here
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise CheckFailed(f"it cannot be sent to another process: {error}") from None
    if twin != learner or hash(twin) != hash(learner):
        raise CheckFailed("a copy that was pickled is not equal to it")
    if _answer(twin, sample, points) != _answer(learner, sample, points):
        raise CheckFailed("a copy that was pickled gives another answer")
    if twin.promises(len(sample)) != learner.promises(len(sample)):
        raise CheckFailed("a copy that was pickled promises something else")


def _refusals(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    asks: dict[str, Callable[[AnySample], object]] = {
        "law": learner.law,
        "run": learner.run,
        "probabilities": lambda S: learner.probabilities(S, points),
        "predict": lambda S: learner.predict(S, points[0]),
    }
    bad: list[object] = [None, list(sample), 3]
    least = least_examples(learner)
    if least:
        bad.append(sample[: least - 1])
    for member, ask in asks.items():
        for value in bad:
            try:
                ask(value)  # type: ignore[arg-type]  # that is the question
            except (InvalidInput, Unanswerable):
                continue
            except Exception as error:  # a learner's may be anything
                begin = "InvalidInput, as self.require(sample) at its beginning raises it"
                said = f"{member} raises {error!r} for {value!r} as a sample, want {begin}"
                raise CheckFailed(said) from error
            raise CheckFailed(f"{member} takes {value!r} for a sample")


def _answer(
    learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]
) -> tuple[object, Sequence[object]]:
    said = [
        (p.lower, p.upper) if isinstance(p, Interval) else p
        for p in learner.probabilities(sample, points)
    ]
    return _law(learner, sample), said


QUESTIONS: dict[str, Ask] = {
    "law-of-runs": _law_of_runs,
    "predictions": _predictions,
    "hypotheses": _hypotheses,
    "order": _order,
    "copy": _copy,
    "refusals": _refusals,
}
"""The questions of the contract, by name."""


def contract_of(learner: object, scope: Scope) -> tuple[ContractCheck, ...]:
    """Return the checks of the contract for a learner; none for an object that lacks a member."""
    if not is_learner(learner):
        return ()
    return tuple(ContractCheck(learner, question, scope) for question in QUESTIONS)  # type: ignore[arg-type]  # just asked
