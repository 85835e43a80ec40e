"""Tests written for a server by itself, at a gateway: a few of those that `scripts/soak gateway` runs whole."""

import logging

import pytest

from tests.cluster.in_one_process import put_everywhere
from tests.transport.test_peer_log import test_log_tells_what_was_refused_and_why
from tests.transport.test_plain import test_muted_person_is_heard_no_more_in_sentences
from tests.web.test_websocket import (
    test_browser_that_lost_its_connection_comes_back,
    test_websocket_is_spoken_inside_tls,
)

__all__ = (
    "test_browser_that_lost_its_connection_comes_back",
    "test_log_tells_what_was_refused_and_why",
    "test_muted_person_is_heard_no_more_in_sentences",
    "test_websocket_is_spoken_inside_tls",
)


@pytest.fixture(autouse=True)
def _at_gateway(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    put_everywhere(monkeypatch.setattr)
