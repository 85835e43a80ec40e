"""A slice of the campaign over real tables: both verifiers believe them, drops and all."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from put_client.fairness.verify import lines_of, verify
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.live_deal import reduced
from put_rules.registry import GAMES
from put_server.game_sheet import sheet_of
from tests.seal.real_tables import campaign
from tests.seal.test_verifiers import needs_node, verified
from tests.table.test_sealing import PLAYERS, SealedTableHarness

VIEWERS: tuple[Viewer, ...] = (Seat(0), GALLERY)


@needs_node
@pytest.mark.timeout(240)
def test_real_tables_of_every_game_are_proved_to_everyone() -> None:
    """Every rule set and number of seats, with drops, missed cuts, accidents and short packs: nobody is accused, no
    card is opened that was not shown, and the two verifiers count alike."""
    tally = campaign(1674, 0, moves=30)
    assert tally["proved"] > 100
    assert tally["missed"] > 0
    assert tally["called_off"] > 0


@needs_node
@pytest.mark.timeout(90)
def test_game_whose_stock_was_renewed_is_proved_from_its_file(tmp_path: Path) -> None:
    """As it is written down for a player and for a spectator, when it is over and from what is kept of it: by both
    verifiers."""
    harness = SealedTableHarness("primero", 6, hands=6)
    for seat, person in enumerate(PLAYERS[:6]):
        harness.join(person, Seat(seat), takes_part=seat != 1)
    harness.play_on(Random(1), 500)
    stocks = 0
    files: list[Path] = []
    for over in harness.games:
        kept = reduced(over.record, GAMES["primero"].make(6, over.record.options))
        for record, viewer in product((over.record, kept), VIEWERS):
            sheet = sheet_of(record, GAMES["primero"], viewer, date="", server="")
            verdict = verify(sheet)
            assert verdict.is_proved, verdict.says
            stocks += sum("a new stock" in says for says in verdict.says)
            files.append(tmp_path / f"{len(files)}.jsonl")
            files[-1].write_bytes(b"\n".join(lines_of(sheet)))
    said = verified(*files)
    assert (said["status"], [viewer["findings"] for viewer in said["viewers"]]) == (0, [[]] * len(files))
    assert stocks
