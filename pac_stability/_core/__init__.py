"""Compiled kernels, built from ``ext/``; ``NAME.pyi`` gives their types, ``NAME.pxd`` serves ``cimport``."""
