"""Compiled kernels, built from ``ext/``.

``NAME.pyi`` gives the types of a kernel, ``NAME.pxd`` lets other Cython code ``cimport`` it.
"""
