"""The book: one file a paper with the words of its claims, each beside the module of its trials.

An entry is a TOML table named by the key of its claim. Its fields are those of
:class:`pac_stability.claims.Claim`; a text may break its lines anywhere, and ``trials`` names the
module of ``pac_stability.claims.PAPER`` in whose ``TRIALS`` the key stands. That module is imported
when the trials are asked for, not before.
"""

from __future__ import annotations

from pac_stability.claims.book.entries import read_book as read_book, read_paper as read_paper
