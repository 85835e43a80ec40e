// Types of what the page knows, for all its modules; those of messages are written from the schema of the protocol.

type App = import("./app.js").App;
type Settings = import("./storage.js").Settings;

type Viewer = number | "gallery";

/** A request of one kind, and what is asked for by it. */
type Requests = { [Kind in Client["type"]]: Omit<Extract<Client, { type: Kind }>, "type" | "id"> };

/** Messages that a table is read from. */
type OfTable = ServerTable | ServerEvents | ServerDecision | ServerRecalled | ServerBlindSpan;

/** A line of evidence, for put-verify. */
type Line = ServerTable | ServerEvents | { type: "dropped"; table: number } | { type: "span"; table: number; data: string };

/** How the deal of a table stands. */
type Standing = {
    table: number;
    proved: number;
    hasLostKey: boolean;
    isShuffling: boolean;
    /** The evidence goes on from the state of a game that the page found when it was loaded. */
    isPartial: boolean;
    blames: { seat: number }[];
};

/** An act, signed; `says`: why it cannot be. */
type Signed = { number: number; says?: string; action?: Action; entry?: string };

/** What is kept of the last blind game of a table: the hash of its terms, the secret of our key, and the last deal of which
 * shares were given, with a digest of its pack and of who owns which place. */
type GameKey = { game: string; secret: string; number: number; digest: string };

/** What the page asks of the Worker that keeps its keys. */
type ToDesk =
    | { type: "keys"; games: Record<string, GameKey> | null }
    | { type: "read"; message: OfTable; known?: ServerTable }
    | { type: "act"; table: number; number: number; action: Action }
    | { type: "evidence"; table: number; number: number }
    | { type: "leave" | "gives_up" | "refused" | "sits"; table: number }
    | { type: "forbidden"; table: number; deal: number };

/** What the Worker tells the page. */
type FromDesk =
    | { type: "show"; message: OfTable }
    | ({ type: "standing" } & Standing)
    | { type: "part"; table: number; entry: string; key: GameKey | null }
    | { type: "fault"; table: number; says: string }
    | { type: "evidence"; number: number; lines: string[] }
    | ({ type: "signed" } & Signed);

/** One sentence of the log of a table; one of kind `hand` begins a hand. */
type Told = { kind: "event" | "quiet" | "talk" | "hand"; text: string };

type SceneKind = "state" | "deal" | "play" | "trick" | "take" | "call" | "word" | "hand" | "game";

/** A picture of the table just after an event; null: after what is no event of the game. */
type Scene = { kind: SceneKind; event: TableEvent | null; view: View; says: string[]; board: string[] };

/** State of a table in the page. */
type Table = {
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
type State = {
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
type WorkerEvent = {
    waitUntil: (done: Promise<unknown>) => void;
    request: Request;
    respondWith: (answer: Promise<Response>) => void;
    notification: Notification;
    data: { json: () => { table: number; until: number } };
};

/** A page that is open, as a service worker sees it. */
type OpenPage = { visibilityState: string; postMessage: (told: { table: number }) => void; focus: () => Promise<unknown> };

/** A service worker, as it sees itself. */
type OfflineWorker = {
    addEventListener: (name: "install" | "activate" | "fetch" | "push" | "notificationclick", does: (event: WorkerEvent) => void) => void;
    clients: { matchAll: (which: { type: string; includeUncontrolled: boolean }) => Promise<OpenPage[]>; openWindow: (path: string) => Promise<unknown> };
    registration: ServiceWorkerRegistration;
};

/** Paths of the files of a release, before the service worker. */
declare const FILES: string[];
