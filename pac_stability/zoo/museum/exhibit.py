"""A wrong mechanism, the claim that it breaks, and the counterexample.

After the definition come the exhibits that fit a rule to a table and use the table for something
that ought to be public. A row is a pair of a measurement and a label. A fit publishes the name of a
rule, drawn by weights that halve with each error. If all else is public, it is private with the
factor 4 for a row replaced.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from pac_stability.arithmetic import Epsilon
from pac_stability.audit import About, AuditResult, Notion, PairWitness, subjects
from pac_stability.data import FiniteDistribution, FromLaw
from pac_stability.zoo.specimens import Records

Dataset: TypeAlias = Sequence[object]
"""A ``Sample`` for notions of prediction, a tuple of records for differential privacy."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A wrong mechanism on a finite instance, beside the right one. Immutable.

    Attributes
    ----------
    name
        Its name for :func:`pac_stability.zoo.museum.get`.
    bug
        What is wrong.
    temptation
        Why an author would write it.
    remedy
        The behaviour of the right one.
    notion
        The claimed notion: for predictions, on samples of labelled examples, or for outputs, on
        data sets of elements of the domain.
    domain, n, delta
        The instance. Neighbours have one element replaced.
    claim
        The claimed value, in the units of an audit's value: the factor e**epsilon, or gamma.
    wrong, right
        The two mechanisms.
    value
        The exact value of the wrong one; for an irrational one, a number inside the audit's
        enclosure.
    sample, neighbour, point, event
        Its counterexample: neighbouring data sets on which the probabilities of the event attain
        the value. For concentrated privacy, where no single event attains it, they differ. The
        point is that of the prediction, or ``None``.
    found
        For a bug found in the wild, the address of its public report.

    Examples
    --------
    >>> from pac_stability.zoo import museum
    >>> exhibit = museum.get("half-the-noise")
    >>> exhibit.audit().verdict, exhibit.audit().value, exhibit.claim
    (<Verdict.REFUTED: 'refuted'>, Fraction(4, 1), Fraction(2, 1))
    >>> exhibit.audit_right().verdict
    <Verdict.VERIFIED: 'verified'>
    """

    name: str
    claim: Fraction
    wrong: subjects.PredictionSubject
    right: subjects.PredictionSubject
    value: Fraction | float
    sample: Dataset
    neighbour: Dataset
    event: tuple[object, ...]
    notion: Notion = Notion.DIFFERENTIAL_PRIVACY
    domain: tuple[object, ...] = (0, 1)
    point: object | None = None
    delta: Fraction = Fraction(0)
    bug: str = ""
    temptation: str = ""
    remedy: str = ""
    found: str = ""

    @property
    def n(self) -> int:
        """The size of the data sets."""
        return len(self.sample)

    def audit(self) -> AuditResult:
        """Audit the wrong mechanism, which the audit refutes."""
        return self._audit(self.wrong)

    def audit_right(self) -> AuditResult:
        """Run the same audit on the right mechanism, which it verifies."""
        return self._audit(self.right)

    def counterexample(self) -> PairWitness:
        """Return the minimal counterexample with its two exact laws.

        Examples
        --------
        >>> from pac_stability.zoo import museum
        >>> shown = museum.get("half-the-noise").counterexample()
        >>> shown.sample, shown.law
        ((0,), FiniteDistribution({0: 4/5, 1: 1/5}))
        >>> shown.neighbour, shown.neighbour_law
        ((1,), FiniteDistribution({0: 1/5, 1: 4/5}))
        """
        return PairWitness(
            self.sample,
            self.neighbour,
            self.point,
            self._law(self.sample),
            self._law(self.neighbour),
            self.event,
            self.value,
        )

    def _law(self, data: Dataset) -> FiniteDistribution[object]:
        # No exhibit has an irrational law.
        if self.notion.about is About.OUTPUTS:
            (law,) = subjects.law_source(cast("subjects.LawSubject", self.wrong)).row(data)
            return cast("FiniteDistribution[object]", law)
        (one,) = subjects.prediction_source(self.wrong, (self.point,)).row(data)
        probability = cast("Fraction", one)
        return FiniteDistribution({1: probability, 0: 1 - probability})

    def _audit(self, mechanism: subjects.PredictionSubject) -> AuditResult:
        is_factor = self.notion.parameter.is_factor
        options: dict[str, object] = {
            "claim": Epsilon.exactly(self.claim) if is_factor else self.claim,
            "labelled": self.notion.about is About.PREDICTIONS,
        }
        if "delta" in self.notion.fixed:
            options["delta"] = self.delta
        return self.notion.ask(mechanism, self.domain, self.n, **options)


# Exhibits that fit a rule to a table

Row: TypeAlias = tuple[int, int]
Rule: TypeAlias = Callable[[int], bool]
Published: TypeAlias = FiniteDistribution[object]

_CLAIM = Fraction(4)
_HALF = Fraction(1, 2)
_MISSING = -1

ALWAYS: Mapping[str, Rule] = {"0": lambda _: False, "1": lambda _: True}
"""The two rules that look at no measurement."""


def rows_of(data: Records) -> list[Row]:
    """Return records that are known to be rows."""
    return [cast("Row", record) for record in data]


def at(cut: int, named: object = None) -> dict[str, Rule]:
    """Return the rule that labels large measurements 1, and its complement."""
    name = cut if named is None else named
    return {f"x >= {name}": lambda x: x >= cut, f"x < {name}": lambda x: x < cut}


def errors(rule: Rule, rows: Sequence[Row]) -> int:
    """Return how many rows a rule labels wrongly."""
    return sum(rule(x) != bool(y) for x, y in rows)


def fit(
    rules: Mapping[str, Rule],
    rows: Sequence[Row],
    decay: Fraction = _HALF,
    prior: Mapping[str, int] | None = None,
    weights: Mapping[int, int] | None = None,
) -> Published:
    """Return the law of a rule that is drawn by prior times ``decay**errors``.

    Parameters
    ----------
    rules
        By name.
    rows
        The rows on which to count errors.
    decay
        Each error's factor.
    prior
        By name; 1 for each by default.
    weights
        How often a row with a label counts; once by default.
    """
    counted = [row for row in rows for _ in range(1 if weights is None else weights[row[1]])]
    drawn = {
        name: (1 if prior is None else prior[name]) * decay ** errors(rule, counted)
        for name, rule in rules.items()
    }
    whole = sum(drawn.values(), Fraction(0))
    return FiniteDistribution({name: weight / whole for name, weight in drawn.items()})


def public(rules: Mapping[str, Rule]) -> FromLaw[Records, object]:
    """Return the fit whose rules were fixed before the data were seen."""
    return FromLaw(lambda data: fit(rules, rows_of(data)))


def at_the_median(data: Records) -> Published:
    """Cut where the table has its lower median."""
    rows = rows_of(data)
    return fit(at(sorted(x for x, _ in rows)[(len(rows) - 1) // 2]), rows)


def between_the_extremes(data: Records) -> Published:
    """Cut in the middle of the range of the table."""
    rows = rows_of(data)
    low, high = (end(x for x, _ in rows) for end in (min, max))
    return fit(at(-(-(low + high) // 2), named=f"the middle of {low} and {high}"), rows)


def with_the_prior_of_the_table(data: Records) -> Published:
    """Start from a prior of 4 to 1 for the majority label."""
    rows = rows_of(data)
    most = str(int(2 * sum(y for _, y in rows) > len(rows)))
    return fit(ALWAYS, rows, prior={name: 4 if name == most else 1 for name in ALWAYS})


def standardised(data: Records) -> Published:
    """Subtract the mean of the table before a public cut at 0."""
    rows = rows_of(data)
    total = sum(x for x, _ in rows)
    return fit(at(1), [(len(rows) * x - total, y) for x, y in rows])


def until_it_fits(data: Records) -> Published:
    """Draw again, once, if the drawn rule errs."""
    rows = rows_of(data)
    once = fit(ALWAYS, rows)
    return once.bind(lambda name: once if errors(ALWAYS[cast("str", name)], rows) else _only(name))


def balanced(data: Records) -> Published:
    """Count rows of the rarer label three times."""
    rows = rows_of(data)
    rare = int(2 * sum(y for _, y in rows) < len(rows))
    return fit(ALWAYS, rows, weights={rare: 3, 1 - rare: 1})


def the_better_list(data: Records) -> Published:
    """Fit two lists of rules, and publish from the one that fits better."""
    rows = rows_of(data)
    lists = (ALWAYS, at(1))
    return fit(min(lists, key=lambda rules: min(errors(r, rows) for r in rules.values())), rows)


def as_sure_as_the_labels(data: Records) -> Published:
    """Spend more if all labels agree."""
    rows = rows_of(data)
    agree = len({y for _, y in rows}) == 1
    return fit(ALWAYS, rows, decay=Fraction(1, 8) if agree else _HALF)


def on_the_best_column(data: Records) -> Published:
    """Keep that one of two columns which agrees with more labels, and fit on it."""
    rows = rows_of(data)  # a measurement holds two bits
    columns = [[(x >> place & 1, y) for x, y in rows] for place in (0, 1)]
    best = max((0, 1), key=lambda place: sum(x == y for x, y in columns[place]))
    return fit(at(1), columns[best]).map(lambda name: f"column {best}: {name}")


def with_the_classes_of_the_table(data: Records) -> Published:
    """Use the occurring labels as the set of possible labels."""
    rows = rows_of(data)
    return fit({str(y): ALWAYS[str(y)] for _, y in rows}, rows)


def imputed(data: Records) -> Published:
    """Replace a missing measurement by the mean of the others."""
    rows = rows_of(data)
    known = [x for x, _ in rows if x != _MISSING] or [0]
    return fit(at(1), [(sum(known) // len(known) if x == _MISSING else x, y) for x, y in rows])


def dropped(data: Records) -> Published:
    """Drop rows with a missing measurement: each decision depends on the row alone."""
    return fit(at(1), [(x, y) for x, y in rows_of(data) if x != _MISSING])


def _only(name: object) -> Published:
    return FiniteDistribution.point_mass(name)


def _exhibit(
    name: str,
    wrong: Callable[[Records], Published],
    right: FromLaw[Records, object],
    instance: tuple[tuple[int, ...], Sequence[Row], Row],
    *,
    event: str,
    value: Fraction | float,
) -> Exhibit:
    measurements, sample, other = instance
    return Exhibit(
        name=name,
        domain=tuple((x, y) for x in measurements for y in (0, 1)),
        claim=_CLAIM,
        wrong=FromLaw(wrong),
        right=right,
        value=value,
        sample=tuple(sample),
        neighbour=(*sample[:-1], other),
        event=(event,),
    )


FITS = (
    _exhibit(
        "cuts-from-quantiles",
        at_the_median,
        public(at(1)),
        ((0, 1), [(0, 1)], (1, 1)),
        event="x >= 0",
        value=math.inf,
    ),
    _exhibit(
        "bounds-from-the-table",
        between_the_extremes,
        public(at(1)),
        ((0, 2), [(0, 1)], (2, 1)),
        event="x >= the middle of 0 and 0",
        value=math.inf,
    ),
    _exhibit(
        "prior-that-sees-the-labels",
        with_the_prior_of_the_table,
        public(ALWAYS),
        ((0,), [(0, 0)], (0, 1)),
        event="0",
        value=Fraction(8),
    ),
    _exhibit(
        "standardised-inside-the-fit",
        standardised,
        public(at(1)),
        ((0, 1, 2), [(1, 1), (1, 1), (0, 0)], (2, 0)),
        event="x >= 1",
        value=Fraction(8),
    ),
    _exhibit(
        "early-stopping",
        until_it_fits,
        public(ALWAYS),
        ((0,), [(0, 0)], (0, 1)),
        event="0",
        value=Fraction(8),
    ),
    _exhibit(
        "class-weights-from-the-labels",
        balanced,
        public(ALWAYS),
        ((0,), [(0, 1), (0, 1), (0, 0)], (0, 1)),
        event="0",
        value=Fraction(6),
    ),
    _exhibit(
        "tuned-on-the-same-rows",
        the_better_list,
        public({**ALWAYS, **at(1)}),
        ((0, 1), [(0, 0), (1, 1)], (1, 0)),
        event="x >= 1",
        value=math.inf,
    ),
    _exhibit(
        "epsilon-from-the-table",
        as_sure_as_the_labels,
        public(ALWAYS),
        ((0,), [(0, 0)], (0, 1)),
        event="0",
        value=Fraction(8),
    ),
    _exhibit(
        "columns-by-correlation",
        on_the_best_column,
        public(at(1)),
        ((1, 2), [(1, 1)], (2, 1)),
        event="column 0: x >= 1",
        value=math.inf,
    ),
    _exhibit(
        "classes-from-the-labels",
        with_the_classes_of_the_table,
        public(ALWAYS),
        ((0,), [(0, 0)], (0, 1)),
        event="0",
        value=math.inf,
    ),
    _exhibit(
        "imputed-by-the-mean",
        imputed,
        FromLaw(dropped),
        ((_MISSING, 0, 1), [(_MISSING, 1), (_MISSING, 1), (1, 1)], (0, 1)),
        event="x >= 1",
        value=Fraction(8),
    ),
)
