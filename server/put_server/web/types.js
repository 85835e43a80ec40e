// Types of the protocol's messages, with the fields that the page reads. The schema is docs/protocol.schema.json.

/** @typedef {number | "gallery"} Viewer */
/** @typedef {Record<string, any> & {do: string}} Action */
/** @typedef {{action: Action, says: string}} Choice */
/** @typedef {{seats?: number[], cards?: string[], winner?: number | null}} Trick */
/** @typedef {{name?: string | null, is_house?: boolean, is_bot?: boolean, is_away?: boolean, is_gone?: boolean,
 *   agrees?: boolean, purse?: number, house?: string, holds_key?: boolean}} Chair */
/** @typedef {{minutes: number, seats?: number[]}} Pause */
/** @typedef {{id: number, game: string, options: Record<string, string | number>, seats: Chair[],
 *   clock: {turn?: number, bank?: number}, state?: string, games?: number, watchers?: number, is_locked?: boolean,
 *   is_gallery_open?: boolean, admits?: string, is_exhibition?: boolean, pause?: Pause | null,
 *   is_solved?: boolean, is_assisted?: boolean, plain?: string, is_read?: boolean}} TableInfo */
/** @typedef {{name: string, is_bot?: boolean, is_away?: boolean, tables?: number[]}} PersonInfo */
/** @typedef {{name: string, meaning: string, default: string | number, values?: (string | number)[],
 *   least?: number | null, most?: number | null, longest?: number | null,
 *   changes?: {line: number, says: string, value?: string | number | null}[]}} OptionOffer */
/** @typedef {{name: string, title: string, source: string, summary: string, seats: number[], options: OptionOffer[],
 *   rules?: string[], primer?: number[], family?: string, direction?: string}} GameOffer */
/** @typedef {{name: string, meaning: string}} HouseOffer */
/** @typedef {{seat: number, turn_ms?: number | null, bank_ms?: number | null, paused_ms?: number | null}} Turn */
/** @typedef {{table: number, decision: number, asks: string, legal: Choice[], why?: string}} Decision */
/** @typedef {Record<string, any> & {view: string, cards?: string[], counts?: number[], trick?: Trick, past?: Trick[],
 *   tricks?: number[], playing?: boolean[], scores?: number[], gains?: number[], dealer?: number | null,
 *   to_move?: number | null}} View */
/** @typedef {{event: string, seat?: number | null, name?: string, text?: string} & Record<string, any>} TableEvent */
/** @typedef {Record<string, any> & {type: string}} Message */

/** One sentence of the log of a table; one of kind `hand` begins a hand.
 * @typedef {{kind: "event" | "quiet" | "talk" | "hand", text: string}} Told */
/** @typedef {"state" | "deal" | "play" | "trick" | "take" | "call" | "word" | "hand" | "game"} SceneKind */
/** A picture of the table just after an event; null: after what is no event of the game.
 * @typedef {{kind: SceneKind, event: TableEvent | null, view: View, says: string[], board: string[]}} Scene */

/** State of a table in the page.
 * @typedef {{id: number, viewer: Viewer, number: number, info: TableInfo, view: View | null, turn: Turn | null,
 *   turnAt: number, board: string[], told: Told[], steps: Scene[], fresh: Scene[], decision: Decision | null, acting: boolean,
 *   analysis: Message | null, advice: Message | null, mine: {action: Action, hand: number, step: number}[],
 *   sheet: string[], unread: number}} Table */

/** State of the whole page. `delay`: milliseconds that the last answer took; null: none comes.
 * @typedef {{
 *   phase: "away" | "coming" | "here" | "lost" | "parted",
 *   server: string, name: string, games: GameOffer[], houses: HouseOffer[],
 *   tables: Map<number, Table>, lobby: Map<number, TableInfo>, people: Map<string, PersonInfo>, opened: Set<number>,
 *   page: number, size: {tables: number, people: number, pages: number} | null,
 *   invitations: {table: number, by: string, info: TableInfo, seat: number | null}[],
 *   notices: {id: number, text: string}[], spoken: {id: number, text: string}[], why: string, asksPassword: boolean,
 *   position: Message | null, judgement: Message | null, answers: number, right: number, backAt: number, delay: number | null}} State */

export {};
