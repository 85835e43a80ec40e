#!/usr/bin/env node
// A bot that needs nothing but Node: JSON lines over a socket, and one of the legal actions at random.
//
//     node bot.mjs HOST PORT NAME --house steady --games 10     opens a table and plays the house
//     node bot.mjs HOST PORT NAME --table 3                     sits down at a table that is there
//     node bot.mjs HOST PORT NAME --invited                     waits to be asked, and plays wherever it is
//     node bot.mjs --stdio --invited                            the same over standard input and output
//
// Copy it and change `choose`. All else is the protocol: say hello, answer decisions, ask for another game, and come
// back after a drop as whoever you were. What it does not know it ignores. At the end it prints how it did, as JSON.

import net from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const HANG_UPS = 3; // connections in a row that end before a welcome, after which it is no server of ours
const PATIENCE_MS = 120_000; // for which a server that is lost is looked for
const COMING_BACK = new Set(["draining", "idle", "too_slow"]); // goodbyes to this connection, not to this person
const PASSING = new Set(["draining", "server_full", "too_fast"]); // why a hello may be refused now, and not in a while
const KNOWN = { again: ["already_there", "game_in_play", "too_late"], leave: ["not_there", "unknown_table"] }; // heard before a drop

/** The bot. `view` is what it sees, `legal` all it may do: the `action` of one of these choices. */
function choose(view, legal) {
  const actions = legal.map((choice) => choice.action);
  return choosers[view?.view]?.(view, actions) ?? anyOf(actions);
}

const anyOf = (actions) => actions[Math.floor(Math.random() * actions.length)];

/** How it chooses, by family of games; undefined: it does not care. */
const choosers = {
  // Triomphe Forcée: the Fool goes to a trick that somebody else leads with a trump.
  triomphe: (view, actions) =>
    view.trick?.cards?.[0]?.endsWith("t") ? actions.find((action) => action.card === "0t") : undefined,
  // Primero: it trades a card while it may, sees what is bet, and bets no more than 1.
  primero: (_, actions) =>
    ["primero.trade", "primero.see", "primero.bet"]
      .map((kind) => actions.find((action) => action.do === kind && (action.amount ?? 1) === 1))
      .find(Boolean),
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    stdio: { type: "boolean", default: false },
    invited: { type: "boolean", default: false },
    table: { type: "string" },
    game: { type: "string", default: "put-1674" },
    seats: { type: "string" },
    option: { type: "string", multiple: true, default: [] },
    house: { type: "string" },
    games: { type: "string" },
  },
});
const [host = "localhost", port = "1674", name = "Node"] = positionals;
const wanted = Number(options.games ?? (options.invited ? 0 : 1)); // 0: no end

let deadMs = 75_000; // of silence, after which the connection is given up; `welcome` tells it
let hangUps = 0;
let wasIn = false; // whether this connection was welcome
const did = { name, games: 0, won: 0, purse: 0, drops: 0, refused: {} };
const tables = new Map(); // where we sit, by number, as far as we heard
const asked = new Map(); // requests that have no answer yet, by id
let connection = null; // { send, close }
let token = "";
let lastId = 0;
let seats = Number(options.seats ?? 0);
let lostAt = Date.now(); // when the server was heard last
let isOver = false;

// --- speaking -------------------------------------------------------------------------------------------------------

/** A request has an id, and gets exactly one answer with it: `refused`, `ok`, or `events` or a `table`. */
function ask(type, fields) {
  const request = { type, id: ++lastId, ...fields };
  asked.set(request.id, request);
  connection?.send(request); // if the connection has just dropped, the next hello asks for the answer
}

const isAsking = (type, table, decision) =>
  [...asked.values()].some((one) => one.type === type && one.table === table && one.decision === decision);

function hello() {
  const message = { type: "hello", version: 3, words: false, is_bot: true, knows: ["put", "triomphe", "primero"], client: "bot.mjs" };
  if (!token) return { ...message, name: did.name };
  // As whoever we were; what we missed follows, and the answers we are owed.
  const seen = [...tables].filter(([, at]) => at.seat !== null).map(([table, at]) => ({ table, number: at.number }));
  return { ...message, token, seen, asked: [...asked.keys()] };
}

function sit(table, seat = null) {
  tables.set(table, { seat: null, number: 0, view: null, decision: null, begun: null, games: 0, purse: 0, answered: 0 });
  ask("sit", { table, seat });
}

// --- hearing: one function a kind of message; a kind that has none is no affair of ours --------------------------------

const hear = {
  ping: () => connection?.send({ type: "pong" }),

  welcome(message) {
    const isNew = !token;
    token = message.token;
    hangUps = 0;
    wasIn = true;
    connection.heartbeat((deadMs = message.limits.dead_ms));
    if (!isNew) {
      for (const [table, at] of [...tables]) {
        if (at.seat !== null && !(message.tables ?? []).includes(table)) hear.left({ table }); // it went meanwhile
      }
    } else if (options.table) {
      sit(Number(options.table));
    } else if (!options.invited) {
      seats ||= Math.min(...(message.games.find((game) => game.name === options.game)?.seats ?? [2]));
      const chosen = options.option.map((text) => [text.split("=")[0], text.slice(text.indexOf("=") + 1)]);
      const values = chosen.map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]);
      ask("open", { game: options.game, seats, options: Object.fromEntries(values) });
    }
  },

  goodbye(message) {
    if (message.refusal === "name_taken" && hangUps) {
      did.name = `${name.slice(0, 20)} ${100 + Math.floor(900 * Math.random())}`; // it let us in, and we did not hear of it
    } else if (message.refusal === "bad_token") {
      token = ""; // the server has begun anew, and so do we
      tables.clear();
      asked.clear();
    } else if (COMING_BACK.has(message.code) || PASSING.has(message.refusal)) connection.wait = 1000 * (message.back_s ?? 0);
    else finish(message.code === "bye" ? "" : message.says);
  },

  ok(message) {
    const request = asked.get(message.id) ?? {};
    asked.delete(message.id);
    if (request.type === "open") sit(message.table);
    if (request.type === "sit" && options.house) {
      for (let guest = 1; guest < seats; guest++) ask("invite", { table: request.table, house: options.house });
    }
    if (request.type === "act" && tables.has(request.table)) tables.get(request.table).answered = request.decision;
    if (request.type === "leave") hear.left({ table: request.table });
  },

  refused({ id, code, says, retry_after_ms }) {
    const { type, id: _, ...fields } = asked.get(id) ?? {};
    asked.delete(id);
    if (code === "too_fast") {
      setTimeout(() => ask(type, fields), retry_after_ms ?? 1000); // the same again, when we may
      return;
    }
    if (code === "not_carried_out") {
      if (type !== "act") ask(type, fields); // it was sent on a connection that dropped; a decision is sent again by itself
      return;
    }
    if (!KNOWN[type]?.includes(code)) {
      did.refused[code] = (did.refused[code] ?? 0) + 1;
      console.error(`${type} was refused: ${says} (${code})`);
      if (type === "open") finish(says);
      if (code === "illegal" && tables.has(fields.table)) answer(fields.table, tables.get(fields.table));
    }
    if (type === "sit" || type === "leave") hear.left({ table: fields.table });
  },

  invited(message) {
    if (options.invited && !tables.has(message.table)) sit(message.table, message.seat ?? null);
  },

  left({ table }) {
    tables.delete(table);
    if (!options.invited) finish();
  },

  table(message) {
    hear.ok(message); // of our `sit`, perhaps
    const at = tables.get(message.table);
    if (at) follow(message, at, { seat: message.viewer, number: message.number, view: message.view ?? null });
  },

  events(message) {
    hear.ok(message); // of what we asked, perhaps
    const at = tables.get(message.table);
    if (at) follow(message, at, { number: message.first + message.events.length - 1, view: message.view ?? at.view });
  },
};

function follow({ table, info, decision }, at, now) {
  Object.assign(at, now);
  if (info) look(table, at, info);
  if (!decision || decision.number <= at.answered || isAsking("act", table, decision.number)) return;
  at.decision = decision;
  answer(table, at);
}

function answer(table, { view, decision: { number, legal } }) {
  ask("act", { table, decision: number, action: choose(view, legal) });
}

/** Count the games that are over, and ask for another, or leave. A field at its default may be left out. */
function look(table, at, info) {
  const isInPlay = ["playing", "paused"].includes(info.state);
  at.begun ??= (info.games ?? 0) - (isInPlay ? 1 : 0);
  const over = (info.games ?? 0) - at.begun - (isInPlay ? 1 : 0);
  const chair = info.seats[at.seat];
  if (over > at.games) {
    const paid = (chair.purse ?? 0) - at.purse;
    did.games += 1;
    did.won += paid > 0 ? 1 : 0;
    did.purse += paid;
    at.games = over;
    at.purse += paid;
  }
  const isAlone = info.seats.every((seat, place) => place === at.seat || seat.is_house || (seat.name ?? null) === null);
  const isEnough = wanted ? did.games >= wanted : at.hadCompany && isAlone;
  at.hadCompany ||= !isAlone;
  if (isInPlay) return;
  if (isEnough) {
    if (!isAsking("leave", table)) ask("leave", { table });
  } else if (info.state === "between" && !chair.agrees && !isAsking("again", table)) {
    ask("again", { table, game: info.games + 1 });
  }
}

// --- the connection -------------------------------------------------------------------------------------------------

/** Talk over these streams until they end. Resolves with the milliseconds the server asks us to wait. */
function talk(source, sink) {
  return new Promise((resolve) => {
    let rest = "";
    let silences = 0;
    const end = () => {
      clearInterval(timer);
      connection = null;
      source.destroy();
      resolve(here.wait);
    };
    let timer;
    const heartbeat = (dead) => {
      clearInterval(timer);
      timer = setInterval(() => (++silences >= 3 ? end() : here.send({ type: "ping" })), dead / 3);
    };
    const here = { wait: 0, send: (message) => sink.write(JSON.stringify(message) + "\n"), end, heartbeat };
    heartbeat(deadMs);
    source.setEncoding("utf8");
    source.on("data", (data) => {
      silences = 0;
      lostAt = Date.now();
      const lines = (rest + data).split("\n");
      rest = lines.pop();
      for (const text of lines) {
        const message = JSON.parse(text);
        if (Object.hasOwn(hear, message.type) && connection === here) hear[message.type](message);
      }
    });
    source.on("error", () => {}); // "close" follows
    sink.on("error", () => {});
    source.on("end", end);
    source.on("close", end);
    connection = here;
    here.send(hello());
  });
}

async function run() {
  if (options.stdio) {
    await talk(process.stdin, process.stdout);
    return finish(); // whoever spoke to us has hung up
  }
  for (let wait = 200; ; wait = Math.min(2 * wait, 5000)) {
    const socket = net.connect({ host, port: Number(port), noDelay: true });
    let isConnected = false;
    socket.on("connect", () => (isConnected = true));
    const stated = await talk(socket, socket);
    if (isOver) return;
    if (!token && !(isConnected && ++hangUps < HANG_UPS)) return finish(`no server at ${host}:${port}`);
    if (Date.now() - lostAt > PATIENCE_MS) return finish("the server is lost");
    if (wasIn) wait = 200;
    wasIn = false;
    did.drops += 1;
    lostAt += stated;
    await sleep(stated + wait * (0.5 + Math.random() / 2));
  }
}

/** Say goodbye, so that our seats and our name are free, tell how we did, and end. */
async function finish(wrong = "") {
  if (isOver) return;
  isOver = true;
  const last = connection;
  connection = null; // nothing more is read
  last?.send({ type: "bye" });
  if (last) await sleep(50); // until it is sent
  (options.stdio ? console.error : console.log)(JSON.stringify(did));
  if (wrong) console.error(`bot.mjs: ${wrong}`);
  process.exit(wrong ? 1 : 0);
}

process.on("SIGTERM", () => finish());
process.on("SIGINT", () => finish());
await run();
