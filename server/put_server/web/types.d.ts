// Types of what the page knows; those of messages are written from the schema of the protocol.

import type {
    Action, Client, Event, GameOffer, HouseOffer, LobbySize, PersonInfo, ServerAdvice, ServerAnalysis, ServerBlindSpan, ServerDecision,
    ServerEvents, ServerInvited, ServerRecalled, ServerTable, TableInfo, Turn, View,
} from "./protocol.js";

export type {
    Action, Choice, Client, GameOffer, Judged, OptionOffer, PersonInfo, Server, ServerAdvice, ServerAnalysis, ServerDecision, ServerEvents, ServerGoodbye,
    ServerInvited, ServerJudgement, ServerLeft, ServerLobby, ServerNotice, ServerOk, ServerPosition, ServerRecalled, ServerRefused,
    ServerTable, ServerWelcome, ShownHand, TableInfo, TrickView, View, Weighed,
} from "./protocol.js";
export type { Event as TableEvent, SeatInfo as Chair } from "./protocol.js";

export type Viewer = number | "gallery";

/** A request of one kind, and what is asked for by it. */
export type Requests = { [Kind in Client["type"]]: Omit<Extract<Client, { type: Kind }>, "type" | "id"> };

/** Messages that a table is read from. */
export type OfTable = ServerTable | ServerEvents | ServerDecision | ServerRecalled | ServerBlindSpan;

/** A line of evidence, for put-verify. */
export type Line = ServerTable | ServerEvents | { type: "dropped"; table: number } | { type: "span"; table: number; data: string };

/** How the deal of a table stands. */
export type Standing = {
    table: number;
    deal: number;
    isFalse: boolean;
    isProved: boolean;
    proved: number;
    isPlain: boolean;
    hasLostKey: boolean;
    isShuffling: boolean;
    /** The evidence goes on from the state of a game that the page found when it was loaded. */
    isPartial: boolean;
    blames: { seat: number }[];
    holders: number[];
};

/** An act, signed; `says`: why it cannot be. */
export type Signed = { number: number; says?: string; action?: Action; entry?: string };

/** What the page asks of the Worker that keeps its keys. */
export type ToDesk =
    | { type: "secret"; secret: Uint8Array | null }
    | { type: "read"; message: OfTable; known?: ServerTable }
    | { type: "act"; table: number; number: number; action: Action }
    | { type: "leave" | "evidence" | "gives_up" | "refused"; table: number }
    | { type: "forbidden"; table: number; deal: number };

/** What the Worker tells the page. */
export type FromDesk =
    | { type: "show"; message: OfTable }
    | ({ type: "standing" } & Standing)
    | { type: "part"; table: number; entry: string; shared: { game: string; number: number; digest: string } | null; isShuffle: boolean }
    | { type: "fault"; table: number; says: string }
    | { type: "evidence"; table: number; lines: Line[] }
    | ({ type: "signed" } & Signed);

/** One sentence of the log of a table; one of kind `hand` begins a hand. */
export type Told = { kind: "event" | "quiet" | "talk" | "hand"; text: string };

export type SceneKind = "state" | "deal" | "play" | "trick" | "take" | "call" | "word" | "hand" | "game";

/** A picture of the table just after an event; null: after what is no event of the game. */
export type Scene = { kind: SceneKind; event: Event | null; view: View; says: string[]; board: string[] };

/** State of a table in the page. */
export type Table = {
    id: number;
    viewer: Viewer;
    /** Number of the last event. */
    number: number;
    info: TableInfo;
    view: View | null;
    turn: Turn | null;
    /** When its time began to run. */
    turnAt: number;
    board: string[];
    told: Told[];
    /** The game so far, to be looked at again. */
    steps: Scene[];
    /** Scenes that are not on the stage yet. */
    fresh: Scene[];
    decision: ServerDecision | null;
    acting: boolean;
    analysis: ServerAnalysis | null;
    advice: ServerAdvice | null;
    /** Our actions in this game, each with the step that follows it. */
    mine: { action: Action; hand: number; step: number }[];
    /** The last game in Put notation, in parts. */
    sheet: string[];
    unread: number;
};

/** State of the whole page. */
export type State = {
    phase: "away" | "coming" | "here" | "lost" | "parted";
    server: string;
    name: string;
    games: GameOffer[];
    houses: HouseOffer[];
    tables: Map<number, Table>;
    lobby: Map<number, TableInfo>;
    people: Map<string, PersonInfo>;
    /** Tables that we opened. */
    opened: Set<number>;
    page: number;
    size: LobbySize | null;
    invitations: ServerInvited[];
    notices: { id: number; text: string }[];
    spoken: { id: number; text: string }[];
    why: string;
    asksPassword: boolean;
    backAt: number;
    /** Milliseconds that the last answer took; null: none comes. */
    delay: number | null;
};

/** An event of a service worker; TypeScript knows them only where a whole project is one. */
export type WorkerEvent = {
    waitUntil: (done: Promise<unknown>) => void;
    request: Request;
    respondWith: (answer: Promise<Response>) => void;
    notification: Notification;
};

/** A service worker, as it sees itself. */
export type Worker = {
    addEventListener: (name: "install" | "activate" | "fetch" | "notificationclick", does: (event: WorkerEvent) => void) => void;
    clients: { matchAll: (which: { type: string }) => Promise<{ focus: () => Promise<unknown> }[]>; openWindow: (path: string) => Promise<unknown> };
};

declare global {
    /** Paths of the files of a release, before the service worker. */
    const FILES: string[];
}
