"""Verifies certificates with code that shares nothing with the search.

Only to ask an algorithm again, when one is given, ``reasking`` goes through what audits use.
"""
