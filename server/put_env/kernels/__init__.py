"""Compiled games for vectors of tables: one module for each family, and shared parts.

Idea: the rules of a family a second time, on integers in arrays, so that numba compiles them to machine code. The
machines of `put_rules` remain the authority: tests/env/test_vector.py compares every table with them.

    rows        chance, the choice among masks, and a table as a row of numbers, observed as the family's codec says
    put         Put and its relatives
    triomphe    Triomphe, by the numbers of cards that the house plays with
    primero     Primero, by the worth of four cards that the house plays with
"""

KERNELS = ("put", "triomphe", "primero")
"""Families with a compiled form, in the module of their name. Its `tables_of` makes the tables of a vector."""
