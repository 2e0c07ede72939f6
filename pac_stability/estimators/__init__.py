"""Private classifiers with the interface of scikit-learn: ``pip install 'pac_stability[sklearn]'``.

Without scikit-learn the room can be imported, and a classifier says what to install.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
