"""What audits on a given distribution have in common: the laws on all samples that can occur."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Unpack, cast

from pac_stability.arguments import AnyNumber, as_size, described
from pac_stability.arithmetic import Epsilon
from pac_stability.audit.notions.notion import About, Fixed, Instance, Law, Notion, Symmetry
from pac_stability.audit.options import Chosen, RunOptions, symmetry_of
from pac_stability.audit.results import (
    AuditResult,
    ClaimedBound,
    Counts,
    LawsWitness,
    Value,
    Verdict,
)
from pac_stability.audit.search.asking import as_sample
from pac_stability.audit.search.engine import Gathering
from pac_stability.audit.subjects import LawSubject, law_source, points_in
from pac_stability.data import (
    Example,
    FiniteDistribution,
    Multiset,
    multiset_distribution,
)
from pac_stability.errors import InvalidInput
from pac_stability.notions.by_type import LawsByType, laws_by_type


@dataclass(frozen=True)
class SampledLaws:
    """The law of the output on every sample of n independent draws.

    Attributes
    ----------
    instance
        The distribution and n, and what is fixed.
    claim
        What is claimed.
    laws
        The law for each sample: a tuple of elements, or a multiset when the order is known not to
        matter.
    gathering
        How the laws were asked for.
    """

    instance: Instance
    claim: ClaimedBound
    laws: dict[object, Law]
    gathering: Gathering

    @property
    def samples(self) -> FiniteDistribution[object]:
        """The law of the sample."""
        distribution = _of(self.instance)
        if self.instance.symmetry is Symmetry.NONE:
            return distribution.power(self.instance.n)
        return multiset_distribution(distribution, self.instance.n)

    @property
    def by_type(self) -> LawsByType[object, object]:
        """The laws on average over the orders of each sample."""
        universe, n = self.instance.universe, self.instance.n
        if self.instance.symmetry is Symmetry.NONE:
            return laws_by_type(self.laws.__getitem__, universe, n)
        return LawsByType(universe, n, cast("dict[Multiset[object], Law]", self.laws))

    def result(
        self,
        value: Value,
        strategy: tuple[tuple[object, object], ...],
        *,
        shown: Fraction | float | None = None,
        note: str = "",
        **found: Unpack[Fixed],
    ) -> AuditResult[LawsWitness]:
        """Return the result of an audit, which is finished with that.

        Parameters
        ----------
        value
            The parameter, or an enclosure.
        strategy
            What attains it.
        shown
            The value that the strategy attains, by default the value.
        note
            Says that the value is a lower bound, where it is no more.
        **found
            What else the instance turned out to have.
        """
        at_least = self.instance.notion.parameter.larger_is_better
        verdict, bound = self.claim.judged(value, at_least=at_least)
        laws = tuple((_shown_sample(sample), law) for sample, law in self.laws.items())
        attained = cast("Fraction | float", value) if shown is None else shown
        witness = LawsWitness(laws, strategy, attained)
        gathering = self.gathering
        counts = Counts(len(self.laws), 0, 0, gathering.outcomes())
        if note and verdict is Verdict.VERIFIED:
            verdict = Verdict.BOUNDED
        gathering.finish()
        notes = "; ".join(filter(None, (note, gathering.remark)))
        return AuditResult(
            replace(self.instance, **found), value, verdict, witness, counts, bound, notes,
            gathering.assumptions, gathering.kept, understood=gathering.understood,
            subject=gathering.name,
        )  # fmt: skip


def sampled_laws(  # noqa: PLR0917  # those of an audit
    notion: Notion,
    mechanism: LawSubject,
    distribution: FiniteDistribution[object],
    n: int,
    claim: Epsilon | AnyNumber | None,
    options: RunOptions,
    **fixed: Unpack[Fixed],
) -> SampledLaws:
    """Ask for the laws on all samples of n independent draws.

    Parameters
    ----------
    notion
        What is asked.
    mechanism
        The algorithm.
    distribution
        The law of one draw. Draws of examples make a ``Sample``, others a tuple.
    n
        The size of the samples.
    claim
        What is claimed.
    options
        How the audit is run.
    **fixed
        What else is fixed, by the names of the instance.

    Raises
    ------
    InvalidInput
        An argument is not as described, or a law is known up to intervals only.
    SubjectFailure, AuditStopped
        The algorithm did not answer, or a limit was reached.
    """
    claimed = ClaimedBound.of(claim, notion.parameter)
    chosen = Chosen.of(options, RunOptions, ["claim", "delta", "beta", "errs", "hypotheses"])
    if not isinstance(distribution, FiniteDistribution):
        raise InvalidInput("distribution", described(distribution), "a FiniteDistribution")
    universe = distribution.support
    if notion.about is About.EXAMPLES and not all(
        isinstance(element, Example) for element in universe
    ):
        raise InvalidInput("distribution", "one not on examples", "a distribution on Examples")
    size = as_size(n, "n", least=1)
    symmetry = symmetry_of(mechanism, (size,), universe, None, chosen.symmetric)
    instance = replace(
        Instance(notion, universe, size, symmetry=symmetry, distribution=distribution), **fixed
    )
    source = law_source(mechanism, points_in(universe))
    gathering = Gathering(instance, source, chosen)
    with gathering.workers() as workers:
        gathering.complete(workers)
    entries = gathering.neighbourhood.entries(0, gathering.neighbourhood.samples)
    laws: dict[object, Law] = {}
    for number, places in enumerate(entries):
        (law,) = gathering.answers.row(number)
        if not isinstance(law, FiniteDistribution):
            raise InvalidInput("mechanism", described(law), "exact laws for this notion")
        elements = tuple(universe[place] for place in places)
        laws[elements if symmetry is Symmetry.NONE else Multiset.of(elements)] = law
    return SampledLaws(instance, claimed, laws, gathering)


def _of(instance: Instance) -> FiniteDistribution[object]:
    return cast("FiniteDistribution[object]", instance.distribution)


def _shown_sample(sample: object) -> object:
    """Return a sample as the algorithm sees it; multisets stay what they are."""
    if not isinstance(sample, tuple):
        return sample
    return as_sample(sample, isinstance(sample[0], Example))
