"""The SDK: a connection to a server that comes back by itself, and the requests that can be made over it.

The modules: `errors` -> `wire` (one socket) -> `pending` (requests in flight), `reconnect_policy`, `requests` ->
`client` (a lasting connection); `session_store` (tokens kept between runs).
"""
