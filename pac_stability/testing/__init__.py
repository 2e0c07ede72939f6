"""For the tests of other projects: strategies, checks of what a learner declares, a pytest plugin.

=============================== ===================================================================
:func:`check_learner`           is a learner what it declares? exact checks, smallest instances
                                first; the first that fails shows its counterexample in words
:func:`parametrize_with_checks` the same as tests of pytest, one a notion
:class:`Declares`               what a learner declares
:mod:`strategies`               classes, samples, neighbours, distributions, trees and mechanisms
                                for hypothesis (the extra ``testing``)
=============================== ===================================================================

If the package is installed, hypothesis finds the strategies by itself (``st.from_type(Sample)``)
and pytest the plugin: the option ``--pac-stability-budget``, the marker ``pac_stability``, and a
line that says how many checks ran. Neither loads more of the library than a test needs.
"""

from __future__ import annotations

from pac_stability._face import face

# The plugins beside this file start without the rooms.
__getattr__, __dir__, __all__ = face(__name__)
