"""Private classifiers with the interface of scikit-learn: ``pip install 'pac_stability[sklearn]'``.

The subpackage can be imported without scikit-learn; a classifier then says what to install.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
