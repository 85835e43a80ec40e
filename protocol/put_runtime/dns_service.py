"""Names and fields with which clients find servers on a local network (DNS-SD over multicast DNS)."""

SERVICE = "_put._tcp.local."
"""Type of service: the program's name and its transport protocol (RFC 6763)."""

VERSION, KEY, TABLES, PEOPLE = "version", "key", "tables", "people"
"""Keys of the TXT record: the server's version, key fingerprint, and number of tables and people. All of it is
unverified: any host on the network may send it."""
