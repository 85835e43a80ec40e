"""A server spread over machines, on NATS with JetStream: its journal is a replicated stream, and a lease says who
writes it. The broker does the replication; nothing of that is made here.
"""
