"""The SDK: a connection to a server that reconnects by itself, and requests over it.

The modules: `errors` -> `wire` (one socket), `session_store` (tokens kept between runs) -> `evidence`, `deal_checks`
(checks of tables' messages), `table_views` (views folded from them), `lasting_wire` (one socket after another) ->
`traffic` (requests and messages) -> `client`.
"""
