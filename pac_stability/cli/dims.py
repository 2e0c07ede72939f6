"""``pac-stability dims``: the dimensions of a class, with witnesses; ``tree``; ``sizes``.

Also the header of every command.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import pac_stability
from pac_stability import dimensions
from pac_stability._alarm import TimeIsUp, backstop
from pac_stability._report import aligned
from pac_stability.classes import FiniteClass, ImplicitClass, TableReading
from pac_stability.classes.specs import Outline
from pac_stability.cli import output
from pac_stability.cli.commands import ON_REQUEST
from pac_stability.cli.loading import Exit, check_source, in_time, load_class, load_outline, say
from pac_stability.cli.output import check_output, coloured, emit, plural, to_json
from pac_stability.dimensions.bounds import ProgressCallback, bounds_cells
from pac_stability.dimensions.decisions import refutation_below
from pac_stability.dimensions.teaching import RecursiveTeachingSearch, star_search
from pac_stability.dimensions.trees import TREE_FORMATS, MistakeTree, point_name
from pac_stability.dimensions.vc_search import ShatteringLevels
from pac_stability.errors import BudgetExhausted, InvalidInput, printable
from pac_stability.online import class_digest


def header(
    kind: str,
    source: str,
    H: FiniteClass | ImplicitClass | Mapping[str, object],
    *,
    edition: int = 1,
) -> dict[str, object]:
    """Begin a JSON report: its schema, the writing program, and the class."""
    about = H
    if isinstance(H, FiniteClass | ImplicitClass):
        hypotheses, points, dropped = _counts(H)
        about = {
            "id": class_digest(H),
            "hypotheses": hypotheses,
            "points": points,
            **({"duplicates": dropped} if dropped else {}),
        }
    return {
        "schema": f"pac-stability/{kind}/{edition}",
        "version": pac_stability.__version__,
        "source": source,
        "class": about,
    }


def headline(source: str, H: FiniteClass | ImplicitClass) -> str:
    """Return the class in one line."""
    count, points, duplicates = _counts(H)
    hypotheses = plural(count, "hypothesis", "hypotheses")
    lost = H.dropped if isinstance(H, FiniteClass) else ()
    names = "".join(f", {printable(one)} as {printable(other)}" for one, other in lost[:3])
    more = ", ..." if len(lost) > 3 else ""
    rows = plural(duplicates, "duplicate row")
    dropped = f" ({rows} dropped{names.replace(',', ':', 1)}{more})" if duplicates else ""
    read = H.reading if isinstance(H, FiniteClass) else TableReading()
    first, second = (f" ({told})" if told else "" for told in (read.names, read.points))
    end = "".join(f"; {printable(told)}" for told in read.more)
    return (
        f"{printable(source)}: {hypotheses}{first} on {plural(points, 'point')}{second}"
        f"{dropped}{end}"
    )


def _counts(H: FiniteClass | ImplicitClass) -> tuple[int, int, int]:
    """How many hypotheses, points, and duplicate rows."""
    if isinstance(H, ImplicitClass):
        return H.size(H.whole), H.points, 0
    return len(H), len(H.domain), H.duplicates


# ``pac-stability dims``: every dimension of a class, with bounds and witnesses; and ``tree``

WITNESS_TIME = 5.0
"""Seconds for a witness of a value that a formula gives."""
SEARCH_TIME = 1.0
"""Seconds for a search that would do without the formula: most end in these."""

# Longer proofs of an upper bound are left out of a certificate.
_REFUTATION_STEPS = 100_000


class _Witness(Protocol):
    def to_dict(self) -> Mapping[str, object]: ...


class _DimensionSearch(Protocol):
    def run(
        self,
        *,
        time_limit: float | None = None,
        progress: ProgressCallback | None = None,
        aim: int | None = None,
    ) -> dimensions.Bounds[_Witness]: ...


@dataclass(frozen=True, slots=True)
class _Dimension:
    """What it is called, and how to search for it: in what memory, below what, on what threads."""

    title: str
    search: Callable[[FiniteClass, int | None, int | None, int], _DimensionSearch]


DIMENSIONS: Mapping[str, _Dimension] = {
    "littlestone": _Dimension(
        "Littlestone", lambda H, memory, *_: dimensions.LittlestoneSearch(H, memory)
    ),
    "vc": _Dimension(
        "VC",
        lambda H, memory, upper, threads: dimensions.VCSearch(
            H, memory, upper=upper, threads=threads
        ),
    ),
    "dual-vc": _Dimension(
        "dual VC", lambda H, memory, _, threads: dimensions.DualVCSearch(H, memory, threads=threads)
    ),
    "threshold": _Dimension(
        "threshold", lambda H, memory, _upper, _threads: dimensions.ThresholdSearch(H, memory)
    ),
    "star": _Dimension("star", lambda H, *_: star_search(H)),
    "recursive-teaching": _Dimension("rec. teach.", lambda H, *_: RecursiveTeachingSearch(H)),
}
"""Every dimension by its name on the command line, in the order of the report."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The bounds on one dimension, and a proof of the upper one if there is one to write."""

    bounds: dimensions.Bounds[_Witness]
    refutation: _Witness | None = None
    interrupted: bool = False

    def holds(self, k: int) -> bool | None:
        """Whether the dimension is at least ``k``; ``None`` while the bounds leave it open."""
        return None if self.bounds.lower < k <= self.bounds.upper else self.bounds.lower >= k

    def settles(self, k: int | None) -> bool:
        """Whether what was asked is known: the dimension, or whether it is at least ``k``."""
        return self.bounds.exact if k is None else self.holds(k) is not None

    def unproved(self, k: int) -> bool:
        """Whether the dimension is less than ``k``, which nothing here proves."""
        return self.holds(k) is False and self.refutation is None


def run(options: argparse.Namespace) -> int:
    """Compute the requested dimensions, in order; print a row of text as each is settled."""
    check_output(options.certificate)
    check_output(options.rocq)
    if options.certificate is not None and (asked := {*options.only} & {*ON_REQUEST}):
        given = f"--only {','.join(sorted(asked))}"
        raise InvalidInput("--certificate", given, "dimensions whose certificates have a schema")
    if options.rocq is not None and "littlestone" not in options.only:
        raise InvalidInput("--rocq", f"--only {','.join(options.only)}", "littlestone among them")
    names = [name for name in DIMENSIONS if name in options.only]
    check_source(options)
    try:
        H, source = load_class(options)
    except (InvalidInput, BudgetExhausted) as error:
        # No table of it was built; what is known of the family needs none.
        if options.table is not None or options.points or options.certificate or options.rocq:
            raise
        try:
            outline = load_outline(options)
        except InvalidInput:
            outline = None
        if outline is None:
            raise
        why = "not built in time" if isinstance(error, BudgetExhausted) else "too large"
        return _outlined(outline, why, names, options)
    found: dict[str, _Outcome] = {}
    if not options.json:
        emit(f"{headline(source, H)}\n\n{_line(*_titles(options.at_least))}")
    try:
        for name in names:
            found[name] = _settle(name, H, options, found)
            if not options.json:
                emit(_row(name, found[name], options.at_least))
            if found[name].bounds.note:
                said = f"{DIMENSIONS[name].title}: {found[name].bounds.note}"
                say(said)
            if found[name].interrupted:
                break
        interrupted = any(outcome.interrupted for outcome in found.values())
    except KeyboardInterrupt:
        # It struck between two searches; what the earlier ones found is still to be told.
        interrupted = True
    settled = all(outcome.settles(options.at_least) for outcome in found.values())

    if options.certificate is not None:
        emit(to_json(_certificate(H, source, found)), options.certificate)
        for name, outcome in found.items():
            if options.at_least is not None and outcome.unproved(options.at_least):
                said = f"{DIMENSIONS[name].title}: {options.certificate} has no refutation"
                limit = f"which takes more than {_REFUTATION_STEPS:,} steps"
                say(f"{said}, {limit}")
    if options.rocq is not None and "littlestone" in found:
        _write_theorem(H, found["littlestone"], options.rocq)
    missing = [DIMENSIONS[name].title for name in names if name not in found]
    if options.json:
        known = "exact" if options.at_least is None else "decided"
        status = "interrupted" if interrupted else known if settled else "bounds"
        rows = _rows_json(found, options.at_least)
        report = header("dims", source, H) | {"status": status, "dimensions": rows}
        emit(to_json(report))
    elif missing:
        emit(f"\nThe search did not reach: {', '.join(missing)}\n")
    if interrupted:
        say("interrupted; the bounds above are certified")
        return Exit.INTERRUPTED
    left = [name for name, outcome in found.items() if not outcome.settles(options.at_least)]
    if left and not any(found[name].bounds.note for name in left):  # else it is said already
        say(_what_helps(found, left, options.at_least))
    return Exit.OK if settled else Exit.INCONCLUSIVE


def _what_helps(found: Mapping[str, _Outcome], left: Sequence[str], aim: int | None) -> str:
    """Say what may narrow bounds that a limit left open."""
    ways = f"--only {left[0]} and a longer --time-limit"
    if aim is None and left[0] not in ON_REQUEST:
        ways += f"; --at-least {found[left[0]].bounds.upper}, which asks less"
    ways += "; --threads 2 for VC" if {"vc", "dual-vc"}.intersection(left) else ""
    titles = ", ".join(DIMENSIONS[name].title for name in left)
    return f"{titles}: a limit came first, and the bounds are certified; try {ways}"


def _outlined(outline: Outline, why: str, names: Sequence[str], options: argparse.Namespace) -> int:
    """Say what is known of a family that is too large for a table, and what is not."""
    found: dict[str, _Outcome] = {}
    for name in names:
        value = outline.known.get(name.replace("-", "_"))
        note = f"known: {value.source}" if value else "not known in closed form; bounds by counting"
        lower, upper = outline.bounds(name.replace("-", "_"))
        found[name] = _Outcome(dimensions.Bounds(lower, upper, None, note=note))
    settled = all(outcome.settles(options.at_least) for outcome in found.values())
    if options.json:
        known = "exact" if options.at_least is None else "decided"
        digest = hashlib.sha256(f"outline {options.family}".encode()).hexdigest()
        about = {"id": f"sha256:{digest}", "points": outline.points}
        head = header("dims", options.family, about)
        rows = {"dimensions": _rows_json(found, options.at_least)}
        emit(to_json(head | {"status": known if settled else "bounds"} | rows))
    else:
        points = f"{outline.points:,}" if outline.points < 10**15 else "a huge number of"
        emit(f"{printable(options.family)}: on {points} points; its table is {why}\n\n")
        emit(_line(*_titles(options.at_least)))
        for name, outcome in found.items():
            emit(_row(name, outcome, options.at_least))
            said = f"{DIMENSIONS[name].title}: {outcome.bounds.note}"
            say(said)
    return Exit.OK if settled else Exit.INCONCLUSIVE


def _settle(
    name: str, H: FiniteClass, options: argparse.Namespace, found: Mapping[str, _Outcome]
) -> _Outcome:
    """Search until the dimension is known, a limit is reached, or Ctrl-C.

    Where a formula gives the value, the search has a few seconds to find a witness.
    """
    value = H.known.get(name.replace("-", "_"))
    limit = options.time_limit
    asked = options.certificate is None and options.rocq is None
    if value is not None and asked:
        limit = WITNESS_TIME if limit is None else min(limit, WITNESS_TIME)
    aim = options.at_least
    if limit is not None and limit > SEARCH_TIME and aim is None and asked and value is not None:
        outcome = _searched(name, H, options, found, limit=SEARCH_TIME, aim=None)
        if outcome.bounds.exact or outcome.interrupted:
            return outcome
        # That it is no larger is known.
        aim = value.value if isinstance(value.value, int) else None
    outcome = _searched(name, H, options, found, limit=limit, aim=aim)
    bounds = outcome.bounds
    if value is None or not asked or outcome.interrupted or bounds.exact:
        return outcome
    if not (isinstance(value.value, int) and bounds.lower <= value.value <= bounds.upper):
        return outcome
    exact = replace(bounds, lower=value.value, upper=value.value, note=f"known: {value.source}")
    # What attains the value was found, or nothing was.
    return _Outcome(exact if bounds.lower == value.value else replace(exact, witness=None))


def _searched(
    name: str,
    H: FiniteClass,
    options: argparse.Namespace,
    found: Mapping[str, _Outcome],
    *,
    limit: float | None,
    aim: int | None,
) -> _Outcome:
    dimension = DIMENSIONS[name]
    upper = None
    if name == "vc" and "littlestone" in found:
        # No class has a VC dimension above its Littlestone dimension.
        upper = found["littlestone"].bounds.upper
    try:
        begun = f"the search for the {dimension.title} dimension was begun"
        with in_time(options, begun):
            search = dimension.search(H, options.max_memory, upper, options.threads)
        try:
            with backstop(limit), output.watched(f"{dimension.title} dimension", limit) as progress:
                bounds = search.run(time_limit=limit, progress=progress, aim=aim)
        except TimeIsUp:
            with in_time(options, begun):
                bounds = search.run(time_limit=output.MOMENT, aim=aim)
        except KeyboardInterrupt:
            bounds = search.run(time_limit=output.MOMENT, aim=aim)
            return _Outcome(replace(bounds, note=""), interrupted=True)
    except BudgetExhausted as error:
        return _Outcome(_without_witness(error))
    wanted = options.certificate is not None or options.rocq is not None
    try:
        if wanted and aim is not None and bounds.upper < aim:
            return _Outcome(bounds, refutation_below(search, aim, _REFUTATION_STEPS))
        if wanted and isinstance(search, dimensions.LittlestoneSearch) and bounds.exact:
            return _Outcome(bounds, search.refutation(max_steps=_REFUTATION_STEPS))
        cover = search.cover if isinstance(search, ShatteringLevels) else None
        known = wanted and cover is not None and cover.k == bounds.upper + 1
        return _Outcome(bounds, cover if known else None)
    except BudgetExhausted:
        return _Outcome(bounds)
    except KeyboardInterrupt:
        return _Outcome(bounds, interrupted=True)


def _write_theorem(H: FiniteClass, outcome: _Outcome, path: str) -> None:
    """Write the dimension as a theorem, or what of it is certified."""
    tree, proof = outcome.bounds.witness, outcome.refutation
    if not isinstance(tree, dimensions.MistakeTree):
        say("the search found no tree, so it wrote no theorem")
        return
    try:
        if isinstance(proof, dimensions.Refutation):
            pac_stability.rocq.exactly(H, tree, proof).save(path)
            return
        reason = "the upper bound has no proof to write"
    except BudgetExhausted as error:
        reason = str(error)
    pac_stability.rocq.at_least(H, tree).save(path)  # the room is imported when it is asked for
    say(f"{path} has the lower bound only: {reason}")


def _without_witness(error: BudgetExhausted) -> dimensions.Bounds[_Witness]:
    """Return the bounds that a search had when not even its witness fitted into memory."""
    if error.lower is None or error.upper is None:
        raise error
    return dimensions.Bounds(error.lower, error.upper, None)


def _titles(aim: int | None) -> tuple[str, str, str, str, str]:
    return "dimension", "value", "" if aim is None else f">= {aim}", "sub-problems", "time"


def _row(name: str, outcome: _Outcome, aim: int | None) -> str:
    """Return the line about one dimension."""
    value, state, nodes, time = bounds_cells(outcome.bounds)
    if aim is not None:
        state = {True: "yes", False: "no", None: "open"}[outcome.holds(aim)]
    return _line(DIMENSIONS[name].title, value, state, nodes, time)


def _line(name: str, value: str, state: str, nodes: str, time: str) -> str:
    # The widths are fixed: a row is written before the later ones are known.
    shown = f"{value:>8}"
    if state and name != "dimension" and coloured():
        shown = f"\x1b[1;{33 if state in ('bounds', 'open') else 32}m{shown}\x1b[0m"
    return f"{name:<11}  {shown}  {state:<6}  {nodes:>13}  {time:>9}\n"


def _rows_json(found: Mapping[str, _Outcome], aim: int | None) -> dict[str, object]:
    return {
        name: {
            "lower": outcome.bounds.lower,
            "upper": outcome.bounds.upper,
            "exact": outcome.bounds.exact,
            "subproblems": outcome.bounds.nodes,
            "seconds": round(outcome.bounds.seconds, 6),
            **({} if aim is None else {"at_least": {"k": aim, "holds": outcome.holds(aim)}}),
            **({"note": outcome.bounds.note} if outcome.bounds.note else {}),
        }
        for name, outcome in found.items()
    }


def _certificate(
    H: FiniteClass, source: str, found: Mapping[str, _Outcome]
) -> Mapping[str, object]:
    """Collect what proves the bounds, in indices of rows and columns of the table."""

    def plain(proof: _Witness | None) -> object:
        return None if proof is None else proof.to_dict()

    return header("certificate", source, H) | {
        "dimensions": {
            name: {
                "lower": outcome.bounds.lower,
                "upper": outcome.bounds.upper,
                "witness": plain(outcome.bounds.witness),
                "refutation": plain(outcome.refutation),
            }
            for name, outcome in found.items()
        }
    }


# ``pac-stability tree``: the deepest shattered mistake tree, drawn

_BY_EXTENSION = {
    ".dot": "dot",
    ".gv": "dot",
    ".svg": "svg",
    ".tex": "tikz",
    ".json": "json",
    ".txt": "text",
    ".pdf": "drawn",  # by matplotlib
    ".png": "drawn",
}


def run_tree(options: argparse.Namespace) -> int:
    """Search for the tree, and draw the deepest one that was reached."""
    check_output(options.output, () if options.format else _BY_EXTENSION)
    extension = Path(options.output or "").suffix.lower()
    form = options.format or _BY_EXTENSION.get(extension, "text")
    if form == "drawn" and importlib.util.find_spec("matplotlib") is None:
        wanted = "matplotlib (pip install 'pac_stability[plots]'), or a name that ends in .svg"
        raise InvalidInput(options.output, "no library that draws it", wanted)
    H, source = load_class(options)
    search = dimensions.LittlestoneSearch(H, max_memory=options.max_memory)
    interrupted = False
    try:
        with output.watched("Littlestone dimension", options.time_limit) as progress:
            bounds = search.run(time_limit=options.time_limit, progress=progress)
    except KeyboardInterrupt:
        bounds, interrupted = search.run(time_limit=output.MOMENT), True
    tree = bounds.tree
    if tree is None:
        raise InvalidInput(source, "a class without hypotheses", "at least one: nothing to draw")
    if form == "drawn":
        plots = pac_stability.plots
        plots.save_picture(plots.mistake_tree(tree.of(H)), options.output)
    elif form == "json":
        emit(to_json(_tree_json(H, source, bounds, tree, interrupted=interrupted)), options.output)
    else:
        emit(TREE_FORMATS[form](tree, H.domain, H.names), options.output)
    if not bounds.exact:
        say(
            f"{'interrupted' if interrupted else 'inconclusive'}: "
            f"a tree of depth {bounds.lower}; the Littlestone dimension is at most {bounds.upper}"
        )
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.OK if bounds.exact else Exit.INCONCLUSIVE


def _tree_json(
    H: FiniteClass,
    source: str,
    bounds: dimensions.Bounds[MistakeTree],
    tree: MistakeTree,
    *,
    interrupted: bool,
) -> Mapping[str, object]:
    return header("tree", source, H) | {
        "status": "interrupted" if interrupted else "exact" if bounds.exact else "bounds",
        "dimension": {"lower": bounds.lower, "upper": bounds.upper, "exact": bounds.exact},
        "domain": [point_name(point) for point in H.domain],
        **({} if H.names is None else {"names": list(H.names)}),
        "tree": tree.to_dict(),
    }


# ``pac-stability sizes``: the sample size of each learner of the papers on a class

_PICTURES = (".svg", ".pdf", ".png")


def run_sizes(options: argparse.Namespace) -> int:
    """Compute the sizes, and print them as a table, as JSON, or as a figure as well."""
    check_output(options.figure, _PICTURES)
    if options.delta is not None and options.epsilon is None:
        raise InvalidInput("--delta", "no --epsilon", "--epsilon with it")
    H, source = load_class(options)
    rows = pac_stability.papers.sizes_of_class(
        H,
        options.alpha,
        options.beta,
        epsilon=options.epsilon,
        gamma=options.gamma,
        delta=options.delta,
    )
    if options.figure is not None:
        plots = pac_stability.plots
        plots.save_picture(plots.needed_sizes(rows), options.figure)
    if options.json:
        shown = ("learner", "promise", "setting", "sample_size", "is_lower_bound")
        fields = [{name: getattr(row, name) for name in shown} for row in rows]
        emit(to_json(header("sizes", source, H) | {"sizes": fields}))
        return Exit.OK
    asked = ", ".join(
        f"{name} {value}"
        for name in ("alpha", "beta", "epsilon", "gamma", "delta")
        if (value := getattr(options, name)) is not None
    )
    table = [("learner", "promise", "setting", "examples")]
    table += [(row.learner, row.promise, row.setting, f"{row.sample_size:,}") for row in rows]
    large = max(rows, key=lambda row: row.exposed)
    note = ""
    if 10 * large.exposed >= 1:
        note = (
            f"\ndelta {options.delta} is large for {large.sample_size:,} examples: to publish "
            f"{float(large.exposed):.3g} of them on average is private, too.\n"
            "Ask for a --delta of at most 1/n**2.\n"
        )
    emit(f"{headline(source, H)}\n{asked}\n\n{aligned(table)}\n{note}")
    return Exit.OK
