"""Tests written for a server by itself, at a gateway: a few of those that `scripts/soak gateway` runs whole."""

import logging

import pytest

from tests.client.test_line_french import test_whole_game_by_the_line_is_french
from tests.cluster.at_gateway import ELSEWHERE, MODULES, driving
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
    "test_whole_game_by_the_line_is_french",
)


def test_every_module_that_drives_a_server_is_tried_at_a_gateway_or_says_why_not() -> None:
    """A new one joins one list or the other; an entry that stands for none goes."""
    entries = (*MODULES, *ELSEWHERE)
    found = driving()
    of = {module: [entry for entry in entries if module == entry or module.startswith(f"{entry}/")] for module in found}
    assert {module: there for module, there in of.items() if len(there) != 1} == {}
    assert set(entries) == {entry for there in of.values() for entry in there}


@pytest.fixture(autouse=True)
def _at_gateway(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    put_everywhere(monkeypatch.setattr)
