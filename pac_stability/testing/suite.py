"""All checks of a learner, at once or as tests of pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar, Unpack

from pac_stability.arguments import as_size, described, require_instance
from pac_stability.audit import Notion, Options, subjects
from pac_stability.audit.calling import name_of
from pac_stability.audit.options import Chosen
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.testing import contract, plugin

Test = TypeVar("Test", bound=Callable[..., object])

SIZES = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Report:
    """How much all checks of a learner examined.

    Attributes
    ----------
    learner
        Its name.
    checked
        The counts of each passed check.
    failed
        The messages of the other checks.
    """

    learner: str
    checked: tuple[contract.Checked | contract.Held, ...]
    failed: tuple[str, ...] = ()

    @property
    def pairs(self) -> int:
        """Ordered pairs of neighbouring samples, over all checks."""
        return sum(checked.pairs for checked in self.checked)

    @property
    def samples(self) -> int:
        """Samples, over all checks."""
        return sum(checked.samples for checked in self.checked)

    def __str__(self) -> str:
        count = len(self.checked) + len(self.failed)
        title = f"{self.learner}: {count} check{'s' * (count != 1)}, {self.pairs:,} pairs"
        if self.failed:
            title += f", {len(self.failed)} failed"
        return "\n".join([title, *(f"  {checked}" for checked in self.checked)])


def check_learner(
    learner: object,
    *,
    declares: contract.Declares | None = None,
    domain: int | Iterable[object] = 3,
    sizes: int | Iterable[int] = SIZES,
    distributions: Iterable[FiniteDistribution[object]] = (),
    budget: str | None = None,
    **options: Unpack[Options],
) -> Report:
    """Check that a learner is what it declares, and print how much was examined.

    It audits every declared notion exactly, on small instances first: the first few elements of the
    domain, and each size. A failure is reported on the smallest instance. An object with all
    members of a :class:`~pac_stability.learning.Learner` must also keep their contract: the law is
    that of the runs, predictions follow it, hypotheses are values, the order matters no more than
    declared, a copy is equal, and bad input is refused.

    Parameters
    ----------
    learner
        The learner, in any of the shapes that :mod:`pac_stability.audit` takes.
    declares
        The declaration; by default its ``promises``, or its attribute ``declares``.
    domain
        A number m, for the points 0, ..., m - 1, or the points. If all of them are examples, such
        as the ones that a hypothesis labels, samples consist of these alone.
    sizes
        The sizes of samples, or one size; those below ``least_examples`` are omitted.
    distributions
        For notions about distributions. Robust and perfect generalization otherwise take the
        uniform ones on the examples over the first points; accuracy and global stability need them.
    budget
        ``"quick"``, ``"standard"`` or ``"deep"``: 2,000, 10^5 or 10^7 samples for each check. By
        default that of pytest's option ``--pac-stability-budget``, else quick.
    **options
        See :class:`~pac_stability.audit.options.Options`.

    Returns
    -------
    Report
        How much was examined.

    Raises
    ------
    CheckFailed
        A notion does not hold, or no instance was examined; all checks run first.
    InvalidInput
        There is no declaration, or an argument is not as described.
    SubjectFailure
        The learner raised an exception, or returned an invalid answer.

    Examples
    --------
    >>> from fractions import Fraction
    >>> class Average:
    ...     symmetric = True
    ...     declares = contract.Declares(uniform_stability=lambda n: Fraction(1, n))
    ...     def probabilities(self, sample, points):
    ...         return [Fraction(sum(sample.labels), len(sample))] * len(points)
    >>> report = check_learner(Average(), domain=2, sizes=[1, 2])
    Average: 1 check, 80 pairs
      uniform stability: 4 instances, 19 samples, 80 pairs
    """
    checks = checks_of(
        learner, declares=declares, domain=domain, sizes=sizes,
        distributions=distributions, budget=budget, **options,
    )  # fmt: skip
    passed, failures = [], []
    for check in checks:
        try:
            passed.append(check())
        except contract.CheckFailed as failure:
            failures.append(str(failure))
    report = Report(name_of(learner), tuple(passed), tuple(failures))
    print(report)  # noqa: T201  # that is promised
    if failures:
        raise contract.CheckFailed("\n\n".join(failures))
    return report


def checks_of(
    learner: object,
    *,
    declares: contract.Declares | None = None,
    domain: int | Iterable[object] = 3,
    sizes: int | Iterable[int] = SIZES,
    distributions: Iterable[FiniteDistribution[object]] = (),
    budget: str | None = None,
    **options: Unpack[Options],
) -> tuple[contract.Check | contract.ContractCheck, ...]:
    """Return the checks of a learner: its contract, and one for each notion that it declares.

    Parameters
    ----------
    learner, declares, domain, sizes, distributions, budget, **options
        As for :func:`check_learner`.

    Raises
    ------
    InvalidInput
        There is no declaration, or an argument is not as described.
    """
    own = ["declares", "domain", "sizes", "distributions", "budget"]
    Chosen.of(options, Options, own)
    if budget is not None and budget not in plugin.BUDGETS:
        raise InvalidInput("budget", described(budget), f"one of {', '.join(plugin.BUDGETS)}")
    listed = tuple(sizes) if isinstance(sizes, Iterable) else (sizes,)
    least = contract.least_examples(learner)
    asked = tuple(as_size(n, "sizes", least=1) for n in listed)
    taken = tuple(n for n in asked if n >= least)
    if asked and not taken:
        raise InvalidInput("sizes", described(asked), f"one of {least} or more examples")
    said = contract.declared_by(learner, declares, taken)
    scope = contract.Scope(subjects.points_of(domain), taken, tuple(distributions), budget, options)
    for law in scope.distributions:
        require_instance(law, FiniteDistribution, "distributions", "FiniteDistributions")
    for notion in (Notion.GLOBAL_STABILITY, Notion.ACCURACY):
        if notion in said.notions and not scope.distributions:
            raise InvalidInput("distributions", "none", f"at least one for {notion.name}")
    promised = (contract.Check(learner, notion, said, scope) for notion in said.notions)
    return *contract.contract_of(learner, scope), *promised


def parametrize_with_checks(
    learners: Iterable[object],
    *,
    declares: contract.Declares | None = None,
    domain: int | Iterable[object] = 3,
    sizes: int | Iterable[int] = SIZES,
    distributions: Iterable[FiniteDistribution[object]] = (),
    budget: str | None = None,
    **options: Unpack[Options],
) -> Callable[[Test], Test]:
    """Return a decorator that makes a test of pytest run for each check of each learner.

    The test has one parameter, ``check``, and calls it. A test that does not call it fails, if the
    plugin of this package is loaded (it is, if the package is installed).

    Parameters
    ----------
    learners
        The learners.
    declares, domain, sizes, distributions, budget, **options
        As for :func:`check_learner`.

    Raises
    ------
    InvalidInput
        There are no learners, a learner declares nothing, or an argument is not as described.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> declares = contract.Declares(differential_privacy=0)
    >>> @parametrize_with_checks([Deterministic(len)], declares=declares)
    ... def test_learner(check):
    ...     check()
    >>> [mark.name for mark in test_learner.pytestmark]
    ['parametrize', 'pac_stability']
    """
    import pytest  # noqa: PLC0415  # an optional library, and there in every test

    # Each learner is asked with the same iterables.
    asked = subjects.points_of(domain)
    listed = tuple(sizes) if isinstance(sizes, Iterable) else (sizes,)
    laws = tuple(distributions)
    checks = [
        check
        for learner in learners
        for check in checks_of(
            learner, declares=declares, domain=asked, sizes=listed,
            distributions=laws, budget=budget, **options
        )
    ]  # fmt: skip
    if not checks:
        raise InvalidInput("learners", "none", "at least one")
    over = pytest.mark.parametrize("check", checks, ids=[check.name for check in checks])

    def decorate(test: Test) -> Test:
        marked: Test = pytest.mark.pac_stability(over(test))
        return marked

    return decorate
