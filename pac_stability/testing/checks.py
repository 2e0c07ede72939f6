"""One check: a learner, a notion that it declares, and the finite instances that decide it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TypeAlias, cast

from pac_stability.audit import About, AuditResult, Notion, Options, Verdict
from pac_stability.audit.subjects import name_of
from pac_stability.data import Example, FiniteDistribution, all_examples, count_multisets
from pac_stability.testing.counterexamples import told
from pac_stability.testing.declarations import Declares, Promised
from pac_stability.testing.tally import TALLY

MOST_SAMPLES = {"quick": 2_000, "standard": 100_000, "deep": 10_000_000}
"""How many samples a check asks about at most, for each budget."""

ONLY_PAIRS = {"labelled", "relation", "group_size", "max_pairs"}
"""The options that audits over distributions do not have."""

World: TypeAlias = tuple[tuple[object, ...], tuple[object, ...], FiniteDistribution[object] | None]
"""What samples are made of, the points in it, and its distribution if the notion has one."""


class CheckFailed(AssertionError):
    """A learner is not what it declares, or nothing could be examined; the message says which."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The instances on which checks decide.

    Attributes
    ----------
    elements
        The points that samples are made of, or the examples. Instances take the first of them,
        ever more.
    sizes
        The sizes of the samples.
    distributions
        Those of notions about distributions; empty means the uniform ones over the first elements.
    budget
        One of ``tally.BUDGETS``; ``None`` means that of the running tests.
    options
        How the audits are run.
    """

    elements: tuple[object, ...]
    sizes: tuple[int, ...]
    distributions: tuple[FiniteDistribution[object], ...]
    budget: str | None
    options: Options

    @property
    def most_samples(self) -> int:
        """How many samples a check asks about at most."""
        return MOST_SAMPLES[self.budget or TALLY.budget]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check that passed examined.

    Attributes
    ----------
    notion
        What was checked.
    instances, samples, pairs
        How many: finite instances, samples over them, ordered pairs of neighbours.
    left
        Instances that the budget left out.
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
    distribution: FiniteDistribution[object] | None
    points: tuple[object, ...]
    n: int
    samples: int


@dataclass(frozen=True, slots=True)
class Check:
    """A check of one notion. Call it to run it.

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
            The learner raised, or gave what is no answer.
        """
        __tracebackhide__ = True  # pytest then shows the test, and what is wrong with the learner
        TALLY.checks += 1
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
            first = elements[:size]
            universe, points = self._universe(first)
            if self.notion.about.pairs:
                yield universe, points, None
            else:
                yield universe, points, FiniteDistribution.uniform(universe)

    def _universe(
        self, elements: tuple[object, ...]
    ) -> tuple[tuple[object, ...], tuple[object, ...]]:
        if all(isinstance(element, Example) for element in elements):
            given = cast("tuple[Example[object], ...]", elements)
            return elements, tuple(dict.fromkeys(example.point for example in given))
        if self.scope.options.get("labelled", True):
            return all_examples(elements), elements
        return elements, elements

    def _samples(self, k: int, n: int) -> int:
        own = getattr(self.learner, "symmetric", False)
        return count_multisets(k, n) if self.scope.options.get("symmetric", own) else k**n

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
    return {"claim": given.pop(notion.parameter.name), **given}
