"""Which object is it? What ``id`` tells, without the event that ``id`` raises.

Once an audit hook is there, and the gates have one, each ``id`` calls it: a walk over what a
program holds would call it thousands of times.
"""

from __future__ import annotations

from collections.abc import Callable

identity: Callable[[object], int] = object.__hash__
"""Return a number that no two objects have that exist at a time: the address, with bits rotated.

It is not asked of the type of the object, so that no ``__hash__`` of the user's is called.
"""
