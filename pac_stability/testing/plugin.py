"""The plugin of pytest: a budget, a marker, and a line with the number of checks that ran.

On GitHub's servers a failed check marks the line of its learner with the counterexample.

pytest loads it wherever the package is installed, so it imports only the counts from the library.

The number of checks that ran, and their budget, shared by checks and the pytest plugin.

It imports nothing of the library, so that the plugin can import it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from dataclasses import dataclass

import pytest

BUDGETS = ("quick", "standard", "deep")


@dataclass(slots=True)
class CheckTally:
    """Counts since this process started.

    Attributes
    ----------
    checks
        Finished checks, with any result.
    pairs
        Pairs of neighbouring samples that they compared.
    samples
        Samples with laws that they computed.
    budget
        The default budget of a check: one of ``BUDGETS``.
    learner
        Whose check began last.
    """

    checks: int = 0
    pairs: int = 0
    samples: int = 0
    budget: str = BUDGETS[0]
    learner: object = None

    def begin(self, learner: object) -> None:
        """Count a check."""
        self.checks += 1
        self.learner = learner


TALLY = CheckTally()
"""The counts of this process."""


# The plugin of pytest: a budget, a marker, and a line that says how many checks ran

MARKER = "pac_stability"
COUNTED = ("checks", "pairs", "samples")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--pac-stability-budget``."""
    group = parser.getgroup("pac_stability", "checks of stable and private learners")
    group.addoption(
        "--pac-stability-budget",
        choices=BUDGETS,
        default=BUDGETS[0],
        help="how much each check of a learner may examine: seconds, minutes or hours "
        "(default: %(default)s)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and set the budget of the checks."""
    config.addinivalue_line(
        "markers", f"{MARKER}: a test that checks a learner; it fails if no check ran in it"
    )
    TALLY.budget = config.getoption("--pac-stability-budget")
    if "hypothesis" in sys.modules:
        # It came before pytest, whose own finder is now in front of ours for this package.
        from pac_stability.testing.hypothesis_types import register  # noqa: PLC0415  # seldom needed

        register()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Count the checks of a test, and fail a marked one in which none ran."""
    before = [getattr(TALLY, name) for name in COUNTED]
    try:
        yield
    except Exception as failure:
        if TALLY.checks > before[0] and os.environ.get("GITHUB_ACTIONS") == "true":
            from pac_stability.audit.calling import written_at  # noqa: PLC0415  # loaded by now
            from pac_stability.audit.reports.text import annotation  # noqa: PLC0415

            here = str(item.path), (item.location[1] or 0) + 1
            places = written_at(TALLY.learner), here
            marked = annotation(places, item.name, str(failure))
            item.user_properties.append((f"{MARKER}_annotation", marked))
        raise
    finally:
        # As properties of the test they reach the summary from another process, too.
        ran = [getattr(TALLY, name) - old for name, old in zip(COUNTED, before, strict=True)]
        if any(ran):
            item.user_properties += [
                (f"{MARKER}_{name}", number) for name, number in zip(COUNTED, ran, strict=True)
            ]
    if item.get_closest_marker(MARKER) and not ran[0]:
        pytest.fail(f"no check ran in a test marked {MARKER}", pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report how many checks ran, if any did."""
    totals = dict.fromkeys(COUNTED, 0)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                for key, number in report.user_properties:
                    name = key.removeprefix(f"{MARKER}_")
                    if name != key and name in totals:
                        totals[name] += number
                    elif key == f"{MARKER}_annotation":
                        terminalreporter.write_line(number)
    if totals["checks"]:
        told = ", ".join(f"{number:,} {name}" for name, number in totals.items())
        terminalreporter.write_line(f"pac_stability: {told}; budget {TALLY.budget}")
