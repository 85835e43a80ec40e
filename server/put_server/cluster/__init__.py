"""A server spread over machines, on NATS with JetStream. The journal of each shard is a replicated stream, written by
the worker that claimed it last. The broker does the replication."""
