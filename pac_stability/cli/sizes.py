"""``pac-stability sizes``: the sample size of each learner of the papers on a class."""

from __future__ import annotations

import argparse

from pac_stability import papers, plots
from pac_stability._report import aligned
from pac_stability.cli.dims import header, headline
from pac_stability.cli.loading import Exit, load_class
from pac_stability.cli.output import check_output, emit, to_json
from pac_stability.errors import InvalidInput

_PICTURES = (".svg", ".pdf", ".png")


def run(options: argparse.Namespace) -> int:
    """Compute the sizes, and print them as a table, as JSON, or as a figure as well."""
    check_output(options.figure, _PICTURES)
    if options.delta is not None and options.epsilon is None:
        raise InvalidInput("--delta", "no --epsilon", "--epsilon with it")
    H, source = load_class(options)
    rows = papers.sizes_of_class(
        H,
        options.alpha,
        options.beta,
        epsilon=options.epsilon,
        gamma=options.gamma,
        delta=options.delta,
    )
    if options.figure is not None:
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
