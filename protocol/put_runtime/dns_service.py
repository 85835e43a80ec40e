"""Names and fields by which clients find servers on a local network (DNS-SD over multicast DNS)."""

SERVICE = "_put._tcp.local."
"""The type of service, after the program's name and its port's protocol (RFC 6763)."""

VERSION, KEY, TABLES, PEOPLE = "version", "key", "tables", "people"
"""Keys of the TXT record: the server's version, the fingerprint of its key, and how many tables and people it
has. Nothing of it is verified: any host on the network may say so."""
