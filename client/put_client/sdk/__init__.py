"""The SDK: a connection to a server that comes back by itself, and the requests that can be made over it.

The modules: `errors` -> `wire` (one socket), `session_store` (tokens kept between runs) -> `evidence`, `deal_checks`
(the checks of what tables tell), `table_views` (folded from it), `lasting_wire` (one socket after another) -> `traffic`
(requests and messages) -> `client`.
"""
