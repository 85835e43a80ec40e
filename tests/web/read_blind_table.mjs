// What the page makes of streams of a blind table: for each case on its input, a JSON object a line.
//
// A case has the secret of the viewer, or none, the table as they came, whether they came to keep a key, and messages; a message `span` has the state of a
// game, and after `gives_up` they may lose their key. The answer has the sentence for what is wrong, and the kind of the
// step that is due from the viewer.

import { readFileSync } from "node:fs";

import { BlindTable } from "../../server/put_server/web/blind/blind_table.js";
import { Unsound } from "../../server/put_server/web/blind/read_hand.js";
import { atOnce } from "../../server/put_server/web/blind/shuffle.js";
import { bytesOf } from "../../server/put_server/web/blind/bytes.js";

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const { secret, snapshot, messages, keeps_key } = JSON.parse(line);
    const table = new BlindTable(snapshot, secret && { secretOf: () => bytesOf(secret) }, keeps_key);
    let says = "";
    try {
        for (const message of messages) {
            if (message.type === "span") table.resume(bytesOf(message.data));
            else if (message.type === "gives_up") table.giveUp();
            else table.read(message);
        }
        for (const deal of table.game?.deals ?? []) atOnce(deal.examine(table.seat));
    } catch (why) {
        if (!(why instanceof Unsound)) throw why;
        says = why.message;
    }
    console.log(JSON.stringify({ says, due: (table.game && table.party?.due(table.game)?.kind) ?? 0 }));
}
