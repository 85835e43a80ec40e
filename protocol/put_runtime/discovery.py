"""Agreement of servers and those who look for one on a local network: names and fields (DNS-SD over multicast DNS)."""

SERVICE = "_put._tcp.local."
"""The type of service, after the program's name and its port's protocol (RFC 6763)."""

VERSION, KEY, TABLES, PEOPLE = "version", "key", "tables", "people"
"""What the TXT record may have: the server's version, the fingerprint of its key, and how many tables and people it
has. All of it is only what somebody on the network says."""
