"""Games compiled, for vectors of tables: one module a family, and what they share.

Idea: a family's rules once more, on whole numbers in arrays, so that numba makes machine code of them. The machines of
`put_rules` remain the authority: tests/env/test_vector.py plays them beside every table.

    rows        chance, the choice among masks, and what `vector` asks of a family; and a table as a row of numbers,
                observed as the family's codec says, for games that have no other form
    put         Put and its relatives, by the hands of ranks that the house plays with
    triomphe    Triomphe
    primero     Primero
"""

KERNELS = ("put", "triomphe", "primero")
"""Families that have a compiled form, in the module of their name: its `tables_of` makes the tables of a vector."""
