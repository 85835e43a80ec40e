// A player who decides by chance and keeps their key with the page's own modules, over a connection of JSON lines.
//
//     node page_player.mjs PORT NAME TABLE [drop]
//
// It sits down, plays a game, and prints one JSON object: the standing of the last deal, what was found wrong or refused,
// how often a place was left in what the page would draw or record, and the evidence. `drop`: the connection is lost at each fifth
// decision.

import { createConnection } from "node:net";

import { Desk } from "../../server/put_server/web/blind/desk.js";
import { keep } from "../../server/put_server/web/blind/keeper.js";
import { endsGame } from "../../server/put_server/web/words.js";

const [port, name, table, drop] = process.argv.slice(2);

const kept = {};
const store = { read: () => kept, write: (changes) => Object.assign(kept, changes) };
const desk = new Desk(take);
desk.hear({ type: "keys", games: {} });

const found = { standing: null, faults: [], places: 0, refused: [], evidence: [] };
const waiting = new Map();
let [socket, id, incarnation, seat, number, decisions] = [null, 0, 0, null, 0, 0];

function say(message) {
    socket.write(`${JSON.stringify(message)}\n`);
}

function ask(type, fields, failed = () => {}) {
    const request = { type, id: ++id, ...fields };
    waiting.set(id, { request, failed });
    say(request);
}

function connect() {
    const own = createConnection(Number(port), "127.0.0.1");
    socket = own;
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (data) => {
        const lines = (text + data).split("\n");
        text = lines.pop();
        for (const line of lines) if (own === socket) hear(JSON.parse(line)); // nothing more of one that was lost
    });
    const who = kept.token ? { token: kept.token, epoch: kept.epoch, seen: number ? [{ table: Number(table), number }] : [], asked: [...waiting.keys()] } : { name };
    say({ type: "hello", version: 2, knows: [], client: "put-web", incarnation: ++incarnation, ...who });
}

function hear(message) {
    const { type } = message;
    if (type === "ping") say({ type: "pong" });
    if (type === "welcome") {
        Object.assign(kept, { token: message.token, epoch: message.epoch });
        if (seat === null) ask("sit", { table: Number(table), holds_key: true });
    }
    if (type === "table") [seat, number] = [message.viewer, message.number];
    if (type === "events") number = message.first + message.events.length - 1;
    if (["table", "events", "decision", "recalled", "blind_span"].includes(type)) desk.hear({ type: "read", message });
    if (type === "ok" || type === "refused") {
        const asked = waiting.get(message.id);
        waiting.delete(message.id);
        if (type === "refused" && asked) {
            if (message.code !== "not_carried_out") found.refused.push(`${asked.request.type}: ${message.code} ${message.says}`);
            asked.failed();
        }
    }
    if (type === "goodbye") end(message.says);
}

function lose() {
    socket.destroy();
    connect();
}

/** @param {any} told */
function take(told) {
    if (told.type === "standing") found.standing = told;
    if (told.type === "fault") end(told.says);
    if (told.type === "evidence") console.log(JSON.stringify({ ...found, evidence: told.lines }));
    if (told.type === "part") {
        const { entry, key } = told;
        const refused = () => desk.hear({ type: "refused", table: Number(table) });
        if (key && !keep(store, Number(table), key)) desk.hear({ type: "forbidden", table: Number(table), deal: key.number });
        else ask("blind", { table: Number(table), entry }, refused);
    }
    if (told.type === "signed") {
        const { action, entry, says } = told;
        if (says) return end(says);
        const refused = () => desk.hear({ type: "refused", table: Number(table) });
        ask("act", { table: Number(table), decision: told.number, action, ...(entry && { entry }) }, refused);
    }
    if (told.type === "show") show(told.message);
}

function show(message) {
    if (/#\d|at place/.test(JSON.stringify([message.view, message.says, message.asks, message.legal, message.board, message.text]))) found.places++;
    if (message.type === "decision") {
        if (drop && ++decisions % 5 === 0) return lose();
        const { action } = message.legal[Math.floor(Math.random() * message.legal.length)];
        desk.hear({ type: "act", table: Number(table), number: message.decision, action });
    }
    if (message.events?.some(endsGame)) ask("recall", { table: Number(table) }, end);
    if (message.type === "recalled" && (message.part ?? 1) === (message.parts ?? 1)) end();
}

function end(fault) {
    if (fault) found.faults.push(fault);
    desk.hear({ type: "evidence", table: Number(table) });
    desk.hear({ type: "leave", table: Number(table) });
    socket.destroy();
}

connect();
