"""How a search moves among the instances of the claims about BLM20."""

from __future__ import annotations

from collections.abc import Container

from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.claims.trials import Climb, Genes
from pac_stability.classes import FiniteClass

_ANY = range(64)


def tournament_settings(
    name: str, *, n: int, dimensions: Container[int] = _ANY
) -> Climb[TournamentSetting]:
    """Describe a setting: up to eight rows on up to five points, the first the target, and so on.

    Parameters
    ----------
    name
        Of the climb.
    n
        The largest n.
    dimensions
        The Littlestone dimensions of the classes.
    """

    def instance(genes: Genes) -> TournamentSetting | None:
        points, size, tie, highest, *more = genes
        rows = [row % (1 << points) for row in more[:8]]
        weights = tuple(more[8 : 8 + points])
        masks = sorted(set(rows))
        if not any(weights) or len(masks) < 2:
            return None
        H = FiniteClass([[mask >> x & 1 for x in range(points)] for mask in masks])
        setting = TournamentSetting(H, rows[0], weights, size, tie, bool(highest))
        return setting if setting.dimension in dimensions else None

    flags = range(2), range(2)
    rows = tuple(range(32) for _ in range(8))
    weights = tuple(range(6) for _ in range(5))
    return Climb(name, (range(2, 6), range(1, n + 1), *flags, *rows, *weights), instance)
