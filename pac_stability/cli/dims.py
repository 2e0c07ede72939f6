"""``pac-stability dims``: every dimension of a class, with bounds and witnesses."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from pac_stability.classes import FiniteClass
from pac_stability.cli.exits import Exit
from pac_stability.cli.progress import MOMENT, watched
from pac_stability.cli.reports import emit, header, headline, to_json
from pac_stability.cli.source import load_class
from pac_stability.dimensions import (
    Bounds,
    HalfGraph,
    LittlestoneSearch,
    MistakeTree,
    ProgressCallback,
    ShatteredSet,
    ThresholdSearch,
    VCSearch,
)
from pac_stability.errors import BudgetExhausted

Witness = MistakeTree | ShatteredSet | HalfGraph


class _Search(Protocol):
    def run(
        self, *, time_limit: float | None = None, progress: ProgressCallback | None = None
    ) -> Bounds[Witness]: ...


@dataclass(frozen=True, slots=True)
class _Dimension:
    title: str
    search: Callable[[FiniteClass, int | None], _Search]


_DIMENSIONS = {
    "littlestone": _Dimension("Littlestone", lambda H, m: LittlestoneSearch(H, max_memory=m)),
    "vc": _Dimension("VC", lambda H, m: VCSearch(H, max_memory=m)),
    "dual-vc": _Dimension("dual VC", lambda H, m: VCSearch(H.dual(), max_memory=m)),
    "threshold": _Dimension("threshold", lambda H, m: ThresholdSearch(H, max_memory=m)),
}


def run(options: argparse.Namespace) -> int:
    """Compute the dimensions asked for, in order, and report them."""
    H, source = load_class(options)
    found: dict[str, Bounds[Witness]] = {}
    interrupted = False
    for name in _DIMENSIONS:
        if name in options.only:
            found[name], interrupted = _settle(name, H, options)
            if interrupted:
                break
    _use_littlestone(found)

    if options.certificate is not None:
        emit(to_json(_certificate(H, source, found)), options.certificate)
    if options.json:
        emit(to_json(_report(H, source, found, interrupted)))
    else:
        emit(headline(source, H) + "\n\n")
        _print_table(found)
        missing = [_DIMENSIONS[name].title for name in options.only if name not in found]
        if missing:
            emit(f"\nnot reached: {', '.join(missing)}\n")
    if interrupted:
        print("pac-stability: interrupted; the bounds above are certified", file=sys.stderr)
        return Exit.INTERRUPTED
    return Exit.OK if all(bounds.exact for bounds in found.values()) else Exit.INCONCLUSIVE


def _settle(
    name: str, H: FiniteClass, options: argparse.Namespace
) -> tuple[Bounds[Witness], bool]:
    """Return the bounds reached, and whether Ctrl-C cut the search short."""
    dimension = _DIMENSIONS[name]
    try:
        search = dimension.search(H, options.max_memory)
        try:
            with watched(f"{dimension.title} dimension", options.time_limit) as progress:
                return search.run(time_limit=options.time_limit, progress=progress), False
        except KeyboardInterrupt:
            return search.run(time_limit=MOMENT), True
    except BudgetExhausted as error:
        # Not even a witness fits into the memory allowed.
        size = len(H)
        lower = min(size, 2) - 1 if error.lower is None else error.lower
        upper = size.bit_length() - 1 if error.upper is None else error.upper
        return Bounds(lower, upper, None), False


def _use_littlestone(found: dict[str, Bounds[Witness]]) -> None:
    """Lower the bound on VC, which no Littlestone dimension is below."""
    if "littlestone" in found and "vc" in found:
        upper = min(found["vc"].upper, found["littlestone"].upper)
        found["vc"] = replace(found["vc"], upper=upper)


def _value(bounds: Bounds[Witness]) -> str:
    return str(bounds.lower) if bounds.exact else f"{bounds.lower}..{bounds.upper}"


def _print_table(found: dict[str, Bounds[Witness]]) -> None:
    rows = [
        (
            _DIMENSIONS[name].title,
            _value(bounds),
            "exact" if bounds.exact else "bounds",
            f"{bounds.nodes:,}",
            f"{bounds.seconds:.3f} s",
        )
        for name, bounds in found.items()
    ]
    titles = ("dimension", "value", "", "sub-problems", "time")
    if sys.stdout.isatty() and _print_rich_table(titles, rows):
        return
    widths = [max(len(row[i]) for row in [titles, *rows]) for i in range(len(titles))]
    for row in [titles, *rows]:
        left = f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:<{widths[2]}}"
        emit(f"{left}  {row[3]:>{widths[3]}}  {row[4]:>{widths[4]}}\n")


def _print_rich_table(titles: tuple[str, ...], rows: list[tuple[str, ...]]) -> bool:
    """Print with ``rich`` if it is installed; say whether it was."""
    try:
        from rich.box import SIMPLE  # noqa: PLC0415  # optional
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
    except ImportError:
        return False
    table = Table(box=SIMPLE, pad_edge=False)
    for title, justify in zip(titles, ("left", "right", "left", "right", "right"), strict=True):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]  # literal strings
    for row in rows:
        style = "bold" if row[2] == "exact" else "yellow"
        table.add_row(row[0], f"[{style}]{row[1]}[/]", *row[2:])
    Console().print(table)
    return True


def _report(
    H: FiniteClass, source: str, found: dict[str, Bounds[Witness]], interrupted: bool
) -> dict[str, object]:
    exact = all(bounds.exact for bounds in found.values())
    return header("dims", source, H) | {
        "status": "interrupted" if interrupted else "exact" if exact else "bounds",
        "dimensions": {
            name: {
                "lower": bounds.lower,
                "upper": bounds.upper,
                "exact": bounds.exact,
                "subproblems": bounds.nodes,
                "seconds": round(bounds.seconds, 6),
            }
            for name, bounds in found.items()
        },
    }


def _certificate(
    H: FiniteClass, source: str, found: dict[str, Bounds[Witness]]
) -> dict[str, object]:
    """The witnesses, as indices of rows and columns of the table whose digest is given."""
    witnesses = {
        name: {"lower": bounds.lower, "witness": _witness(bounds.witness)}
        for name, bounds in found.items()
    }
    return header("certificate", source, H) | {"dimensions": witnesses}
