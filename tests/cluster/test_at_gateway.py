"""Tests written for a server by itself, at a gateway: a few of those that `scripts/soak gateway` runs whole."""

import pytest

import put_server.app
from tests.cluster.in_one_process import DispatcherAtGateway
from tests.web.test_websocket import (
    test_browser_that_lost_its_connection_comes_back,
    test_websocket_is_spoken_inside_tls,
)

__all__ = (
    "test_browser_that_lost_its_connection_comes_back",
    "test_websocket_is_spoken_inside_tls",
)


@pytest.fixture(autouse=True)
def _at_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(put_server.app, "Dispatcher", DispatcherAtGateway)
