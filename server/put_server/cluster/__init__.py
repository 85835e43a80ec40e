"""A server spread over machines, on NATS with JetStream: the journal of each shard is a replicated stream, which the
worker that claimed it last writes. The broker replicates; this package has no replication of its own.
"""
