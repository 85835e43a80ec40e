// A second verifier of sealed deals, written from docs/fair-dealing.md. It shares no code with the first.
// The checks are the modules of the web page, which checks the deals of its own tables by them.
//
//   node scripts/verify/verify.mjs [--vectors docs/fair-dealing-vectors.json] [TOLD.jsonl ...]
//
// TOLD.jsonl holds recorded traffic as it is, a JSON object a line, in the order it came, bytes in base64:
//   from the server   `events`, `table`, `openings`, `welcome`, `left`, `ok`, `refused`; other messages are ignored
//   from the client   `sit`, `promise`, `cut`, `leave`, `stand`, `watch`; other requests are ignored
// A `table` message begins a viewer of that table. A second `welcome` says that the connection had dropped.
//
// Bare events, {"event":"sealed",...}, are read as well. They need a line before them that says who the viewer is:
//   {"type":"viewer","table":1,"viewer":0,"end":"...","game":"put-1674","options":{},"joins":false,"is_counted":true,
//    "is_exhibition":false,"is_witness":false}     all but `table` and `viewer` may be left out
// and may have short lines of the viewer's own between them:
//   {"type":"cut","link":"..."}      the viewer cut; null: they did not
//   {"type":"promise","end":"..."}   they take part from now on, or with another chain; null: they take no part
//   {"type":"counted"}               the server has answered that it knows that
//   {"type":"dropped"}               the connection dropped
//   {"type":"view","view":{...}}     a view was told, and is compared with the events
//
// Prints one JSON object; docs/fair-dealing.md says what is in it. The status is 1 if anything is false, else 2 if any
// deal is unproved, else 0; 3 if the file cannot be read.

import { readFileSync } from "node:fs";
import { bytesOfHex, hex } from "../../server/put_server/web/blind/bytes.js";
import { accidentLeafOf, accidentOf, after, basisOf, drawOf, laid, leafOf, luckOf, rootBy, seedOf, wordsOf } from "../../server/put_server/web/seal/mathematics.js";
import { FULL_PACK } from "../../server/put_server/web/blind/terms.js";
import { Recording } from "../../server/put_server/web/seal/recording.js";

// --- the vectors -----------------------------------------------------------------------------------------------------

function vectorsAmiss(vectors) {
    const amiss = [];
    const compare = (what, mine, written) => {
        if (JSON.stringify(mine) !== JSON.stringify(written)) amiss.push(what);
    };
    const bytes = bytesOfHex;
    const { secret, links } = vectors.chain;
    let link = bytes(secret);
    for (let number = 0; number <= Math.max(...Object.keys(links)); number++) {
        if (number in links) compare(`chain ${number}`, hex(link), links[number]);
        link = after(link);
    }
    for (const [eight, words] of Object.entries(vectors.words)) compare(`words ${eight}`, wordsOf(bytes(eight)), words);
    const compareDeal = (name, deal) => {
        const cards = deal.cards.length ? deal.cards : FULL_PACK;
        const hasAccidents = deal.accident !== undefined;
        const size = cards.length + (hasAccidents ? 1 : 0);
        const roots = deal.packs.map((written, pack) => {
            const seed = seedOf(bytes(deal.secret), deal.table, deal.deal, pack);
            const made = laid(seed, deal.table, deal.deal, pack, cards, hasAccidents);
            compare(`${name} pack ${pack} seed`, hex(seed), written.seed);
            compare(`${name} pack ${pack} cards`, made.cards, written.cards);
            compare(`${name} pack ${pack} first salt`, hex(made.salts[0]), written.first_salt);
            compare(`${name} pack ${pack} root`, hex(made.root), written.root);
            return made.root;
        });
        const shown = deal.links.map((text) => (text === null ? null : bytes(text)));
        const basis = basisOf(deal.table, deal.deal, roots, deal.to, cards, shown);
        const drawn = drawOf(basis, cards.length);
        compare(`${name} words`, drawn.words, deal.words);
        compare(`${name} pack`, drawn.pack, deal.pack);
        compare(`${name} order`, drawn.order, deal.order);
        const comparePath = (what, leaf, position, path) => {
            const steps = path.map(bytes);
            const root = rootBy(leaf, position, size, steps);
            compare(`${what} path`, [hex(root), steps.length], [hex(roots[drawn.pack]), 0]);
        };
        for (const { slot, position, card, salt, leaf, path } of deal.openings) {
            compare(`${name} slot ${slot}`, drawn.order[slot], position);
            const made = leafOf(deal.table, deal.deal, drawn.pack, position, card, bytes(salt));
            compare(`${name} slot ${slot} leaf`, hex(made), leaf);
            comparePath(`${name} slot ${slot}`, made, position, path);
        }
        if (!hasAccidents) return;
        const { position, salt, leaf, path, luck } = deal.accident;
        const made = accidentLeafOf(deal.table, deal.deal, drawn.pack, cards.length, bytes(salt));
        compare(`${name} accident position`, cards.length, position);
        compare(`${name} accident leaf`, hex(made), leaf);
        comparePath(`${name} accident`, made, position, path);
        compare(`${name} accident luck`, luckOf(bytes(salt), basis).toString(16).padStart(16, "0"), luck);
    };
    vectors.deals.forEach((deal, at) => compareDeal(`deal ${at}`, deal));
    compareDeal("deal with accidents", vectors.accidents.deal);
    vectors.accidents.lucks.forEach(({ luck, misdeals, dealer, adversaries, cards_each: each, decides }, at) => {
        const made = accidentOf(BigInt(`0x${luck}`), misdeals, dealer, adversaries, each);
        compare(`luck ${at}`, made && [made.law, made.seat, made.card], decides && [decides.law, decides.seat, decides.card]);
    });
    return amiss;
}

// --- the command -----------------------------------------------------------------------------------------------------

function verified(args) {
    const answer = { vectors: [], viewers: [] };
    while (args.length) {
        const arg = args.shift();
        if (arg === "--vectors") answer.vectors = vectorsAmiss(JSON.parse(readFileSync(args.shift(), "utf-8")));
        else {
            const recording = new Recording();
            readFileSync(arg, "utf-8")
                .split("\n")
                .forEach((line, at) => {
                    if (!line.trim()) return;
                    try {
                        recording.take(JSON.parse(line));
                    } catch (error) {
                        throw new Error(`${arg}, line ${at + 1}: ${error.message}`, { cause: error });
                    }
                });
            answer.viewers.push(...recording.viewers.map((viewer) => viewer.result));
        }
    }
    if (answer.vectors.length || answer.viewers.some(({ findings }) => findings.length)) process.exitCode = 1;
    else if (answer.viewers.some(({ unproved }) => unproved)) process.exitCode = 2;
    return answer;
}

try {
    console.log(JSON.stringify(verified(process.argv.slice(2))));
} catch (error) {
    console.error(`verify.mjs: ${error.message}`);
    process.exitCode = 3;
}
