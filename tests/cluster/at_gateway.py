"""A plugin of pytest: tests written for a server by itself, run at a gateway and a shard in memory.

python -m pytest -p tests.cluster.at_gateway tests/transport tests/web/test_websocket.py ...

`scripts/soak gateway` runs all of `MODULES`. A new game, message or test in them joins by itself.
"""

from collections.abc import Mapping

import pytest

MODULES = (
    "tests/transport",
    "tests/web/test_http.py",
    "tests/web/test_websocket.py",
    "tests/client_conformance/test_clients.py",
)

LEFT_OUT: Mapping[str, str] = {}
"""Tests that say nothing of a gateway, or something that is otherwise there, each with why."""


def pytest_sessionstart() -> None:
    """Before any module of tests is imported."""
    # Imported here: pytest rewrites what comes later.
    import put_conformance.fake_server  # noqa: PLC0415
    import put_server.app  # noqa: PLC0415
    from tests.cluster.gateway_harness import GatewayHarness  # noqa: PLC0415
    from tests.cluster.in_one_process import DispatcherAtGateway  # noqa: PLC0415
    from tests.transport import dispatcher_harness  # noqa: PLC0415

    dispatcher_harness.DispatcherHarness = GatewayHarness  # type: ignore[misc]  # that is what this is for
    for module in (put_server.app, put_conformance.fake_server):
        module.Dispatcher = DispatcherAtGateway  # type: ignore[attr-defined]  # the same


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if getattr(item, "originalname", "") not in LEFT_OUT]
