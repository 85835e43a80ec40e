"""A server spread over machines, on NATS with JetStream: the journal of each shard is a replicated stream, and a lease
names the worker that writes it. The broker replicates; this package has no replication of its own.
"""
