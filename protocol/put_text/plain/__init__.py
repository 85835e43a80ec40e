"""Plain English: what a person types as requests, and what a server tells as sentences.

One way of speaking for both ends: the client's line mode and the server's door for whoever has nothing but `nc` say the
same words, made here. Nothing here reads, writes or looks at a clock.

Import law: of this package `spoken` and `offers` know the protocol alone, `commands` knows them, and `door`, the
server's end of a connection, is imported by nobody in it.
"""
