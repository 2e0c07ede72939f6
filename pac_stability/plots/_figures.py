"""Matplotlib, when it is there, and what all figures share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which differ for all kinds of colour vision.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
INK, QUIET = "#222222", "#767676"


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure, its size in inches, or say what to install."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  # an optional library
    except ModuleNotFoundError as error:
        message = "matplotlib is missing: pip install 'pac_stability[plots]'"
        raise ImportError(message, name="matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def logarithmic(axes: Axes, x_label: str, y_label: str) -> None:
    """Give axes two logarithmic scales, their names, and a faint grid."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(visible=True, color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
