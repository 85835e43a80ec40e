// A table that is dealt blind, as one viewer follows it: entries folded, cards in place of places, acts signed.
//
// The server knows the cards of a seat that keeps its key by their places alone: `#17` in a hand, in a choice, in an act.
// Here a place becomes the card that our own share opens, so nothing else in the page knows of places. Every card that is
// shown has to be opened by the transcript, at a place of its player; every act has to be signed by its player.

import { nameOf } from "../card_names.js";
import { t } from "../words.js";
import { bytesOf, isEqual } from "./bytes.js";
import { cardsShown, isOfGame, stepsOf } from "./events.js";
import { ACTS, UNSEEN_ACTS } from "./packs.js";
import { ReadHand, Unsound } from "./read_hand.js";
import { forged, Shown } from "./shown.js";
import { cardsOf, hasHands, mayBeRead } from "./terms.js";
import { BlindGame, OTHER_STORY, Party, ServerFault } from "./game.js";
import { ProofError } from "./group.js";
import { ACT, DEAL, KEY, pack, parseTerms, RENEW, SERVER, SHARES, SHOW, UNSEEN, unpack } from "./transcript.js";

/** @import {Deal} from "./game.js" */
/** @import {Entry, Terms} from "./transcript.js" */

/** @type {Record<string, string[]>} */
const acts = ACTS;

/** True if others see the act as a hash alone, in a deal that the server reads. @param {string} act */
const isUnseenAct = (act) => Object.hasOwn(UNSEEN_ACTS, act);

/** Fields of messages with what is drawn: cards, and texts that name them. */
const DRAWN = ["view", "board", "says", "asks", "why", "legal"];
/** Fields of events in which they name what their act chose. What else an act has is no more looked at than by the server. @type {(keyof TableEvent)[]} */
const CHOSEN = ["card", "amount", "category"];
const PLACE = /^#(\d+)$/;
const NAMED_PLACE = /\b(?:[Tt]he card at|[Ll]a carte à la) place (\d+)/g;

const anotherDeal = () => new Unsound(t`After the connection was lost the server told another deal than before.`);
const begunAgain = () => new Unsound(t`The server began a deal a second time.`);
const keyTaken = () => new Unsound(t`You keep the key of your cards, and the server says that it has it.`);

/** An act cannot be signed here; the message is a sentence. */
export class NoKey extends Error {}

export class BlindTable {
    /** @param {ServerTable} snapshot the table as it was when we came @param {import("./desk.js").GameKeys | null} gameKeys
     * @param {boolean} [keepsKey] we sat down to keep the key of our cards */
    constructor(snapshot, gameKeys, keepsKey = false) {
        /** @type {number} */
        this.id = snapshot.table;
        /** @type {number | null} */
        this.seat = snapshot.viewer === "gallery" ? null : snapshot.viewer;
        this.gameKeys = gameKeys;
        this.keepsKey = keepsKey && !snapshot.info.plain;
        /** @type {TableInfo} */
        this.info = snapshot.info;
        /** @type {BlindGame | null} */
        this.game = null;
        /** With our key; null: we hold none in this game. @type {Party | null} */
        this.party = null;
        /** The seat's key was told, and is not ours: another program has it, or it is lost. */
        this.hasLostKey = false;
        /** Number of the last game in which we gave up our seat, or it may have been taken from us. @type {number | null} */
        this.gaveUpIn = null;
        this.hasCome = false; // we were told of the table before
        this.isResumed = false; // the state of a game came, and not the table yet
        /** An entry of ours that was sent and has not come back. @type {Uint8Array | null} */
        this.sent = null;
        /** The game in play is dealt by the server alone. */
        this.isPlain = false;
        /** Our own cards by their places, in the deal in play. @type {Map<string, string>} */
        this.names = new Map();
        /** Our cards by their places in each hand of the game, by its number. @type {Map<number, Map<string, string>>} */
        this.hands = new Map();
        this.recalled = new Map(); // those of the hand to which a sheet has come
        /** Acts of the transcript that were not told as events yet. @type {{seat: number, act: any, isRuling: boolean}[]} */
        this.signedActs = [];
        /** The hand in play, where the server reads the pack. @type {ReadHand | null} */
        this.hand = null;
        /** We came, or came back, in the middle of such a hand: it is not all checked. */
        this.isPartlyKnown = false;
        this.unused = 0; // number of the deal in play, if an event of it must come; 0: one came, or a player left before
        /** Hands to lose, by seat, for parts of deals that were missed; null: we were not told all of the game. @type {Map<number, number> | null} */
        this.owes = new Map();
        /** Seats that lose the hand in play, and whether a turn of theirs was over for it. @type {Map<number, boolean>} */
        this.loses = new Map();
        /** Seats whose players left the game. @type {Set<number>} */
        this.left = new Set();
        this.missed = snapshot.info.seats.map(({ missed }) => missed ?? 0); // parts missed in the game, as they were told
        this.isBegun = false; // the game in play has begun a blind game that we were told
        this.turned = 0; // places of the table's that events have shown
        this.shown = new Shown(this.seat);
        /** Blames of games before this one. @type {import("./game.js").Blame[]} */
        this.blamesBefore = [];
        /** @type {number | null} */
        this.number = snapshot.number ?? null;
    }

    /** @returns {Deal | null} */
    get playing() {
        return this.game?.playing ?? null;
    }

    get blames() {
        return [...this.blamesBefore, ...(this.game?.blames ?? [])];
    }

    get dealNumber() {
        return this.game?.deals[0]?.number ?? 0;
    }

    /** The message with cards in place of places, its entries folded. @param {OfTable} message @returns {OfTable} */
    read(message) {
        if (message.type === "recalled") return { ...message, text: this.sheetOf(message.text ?? "", message.part ?? 1) };
        if (message.type === "table") this.comeBack(message);
        const events = message.type === "events" && { events: this.readEvents(message) };
        const own = Object.entries(message).map(([name, value]) => [name, DRAWN.includes(name) ? this.carded(value) : value]);
        const read = { ...Object.fromEntries(own), ...events };
        this.hasCome = true;
        if (read.view && !this.shown.agreesWith(read.view)) throw new Unsound(forged());
        return read;
    }

    /** @param {ServerEvents} message */
    readEvents(message) {
        /** @type {TableEvent[]} */
        const events = [];
        this.note(message.info ?? this.info);
        for (const [at, event] of message.events.entries()) {
            try {
                events.push(this.readEvent(event, message.says?.[at] ?? ""));
            } catch (why) {
                throw why instanceof Unsound ? Object.assign(why, { events: [...events, ...message.events.slice(at)] }) : why;
            }
        }
        this.number = message.first + events.length - 1;
        return events;
    }

    /** A part of a game in Put notation, with our cards in place of places. @param {string} text @param {number} part */
    sheetOf(text, part) {
        if (part === 1) this.recalled = new Map();
        return text.split("\n").map((line) => {
            const hand = / hand=(\d+) .*counts=/.exec(line)?.[1];
            if (hand) this.recalled = this.hands.get(Number(hand)) ?? new Map();
            return this.inWords(line, this.recalled).replace(/#\d+\b/g, (place) => this.recalled.get(place) ?? place);
        }).join("\n");
    }

    /** @param {string} text @param {Map<string, string>} names */
    inWords(text, names = this.names) {
        return text.replace(NAMED_PLACE, (words, place) => {
            const card = names.get(`#${place}`);
            const name = card ? nameOf(card) : words;
            return /^[TL]/.test(words) ? `${name[0].toUpperCase()}${name.slice(1)}` : name;
        });
    }

    /** The same with our cards in place of places, wherever they are, in texts too. @param {any} value @returns {any} */
    carded(value) {
        if (typeof value === "string") return this.names.get(value) ?? this.inWords(value);
        if (Array.isArray(value)) return value.map((one) => this.carded(one));
        if (value === null || typeof value !== "object") return value;
        return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.carded(one)]));
    }

    /** @param {TableEvent} event @param {string} says */
    readEvent(event, says) {
        if (event.event === "blind_begun") this.begin(/** @type {Uint8Array} */ (bytesOf(event.terms)));
        else if (event.event === "blind_entry") this.hear(/** @type {Uint8Array} */ (bytesOf(event.entry)), /** @type {Uint8Array} */ (bytesOf(event.receipt)));
        else if (event.event === "blind_opened") this.open(event.places ?? []);
        else if (event.event === "started") {
            this.shown.start();
            this.info = { ...this.info, games: event.game ?? 0 };
            this.isBegun = false;
            this.missed.fill(0);
            this.hands.clear();
            this.isPlain = Boolean(event.plain);
            this.unused = 0;
            this.owes = new Map();
            this.loses.clear();
            this.left.clear();
            if (this.isPlain) this.follow(null);
        } else if (event.event === "part_missed") this.checkMiss(event.seat ?? 0, event.missed ?? 0, event.is_dismissed ?? false);
        else if ((event.event === "timed_out" || event.event === "left_game") && event.seat === this.seat) this.giveUp();
        if (!isOfGame(event)) return event;
        const read = this.carded(event);
        const shown = cardsShown(read, this.seat);
        const steps = stepsOf(read);
        if (steps.some((/** @type {any} */ { step }) => step === "HandsDealt")) this.hands.set(read.hand ?? 0, new Map(this.names));
        this.shown.note(read, shown, steps);
        this.loseHands(steps);
        if (!this.isPlain) {
            this.checkCards(shown, steps);
            this.checkAct(read, says);
        }
        return read;
    }

    /** Another game may be in play than when we went, and our last entry be in none. @param {ServerTable} snapshot */
    comeBack({ info, number, view }) {
        if (number !== this.number) this.shown.isKnown = false;
        this.number = number;
        this.sent = null;
        if (this.game && info.plain && (info.state === "playing" || info.state === "paused")) {
            if (info.games === this.info.games) throw anotherDeal();
            this.follow(null);
        }
        this.isBegun &&= info.games === this.info.games;
        this.note(info);
        this.missed = info.seats.map(({ missed }) => missed ?? 0);
        if (!this.game) this.isPlain = Boolean(info.plain);
        if (this.names.size) this.hands.set(view?.hand ?? 0, new Map(this.names));
        if (this.isResumed) this.takeKey(); // by now we know in which game of the table
        this.isResumed = false;
    }

    /** From now on the server may hold our key in the game in play. */
    giveUp() {
        this.gaveUpIn = this.info.games ?? 0;
    }

    /** A player who keeps their key keeps it in their seat. @param {TableInfo} info */
    note(info) {
        const [known, now] = [this.info, info].map(({ seats }) => seats[this.seat ?? -1]);
        if (known?.holds_key && !now.holds_key && !now.is_gone && now.name === known.name) throw keyTaken();
        this.info = info;
    }

    /** Follow a blind game, or none, from here on. Of its deal in play no card is read, and no act told. @param {BlindGame | null} game */
    follow(game) {
        if (!isEqual(this.game?.terms.hash, game?.terms.hash)) this.blamesBefore = this.blames;
        this.game = game;
        this.sent = this.hand = null;
        this.names.clear();
        this.signedActs = [];
        this.turned = 0;
        this.takeKey();
    }

    /** @param {Uint8Array} data */
    begin(data) {
        const terms = sound(() => parseTerms(data), (why) => t`The deal begins with terms that are no good: ${why}.`);
        this.checkTerms(terms);
        // Later in a game, those who left it lose theirs.
        const taken = this.info.seats.findIndex(({ holds_key }, seat) => (holds_key || (this.keepsKey && seat === this.seat)) && terms.holders[seat] === SERVER);
        if (taken >= 0 && this.owes && !this.isBegun) throw taken === this.seat ? keyTaken() : new Unsound(t`${this.named(taken)} keeps the key of their cards, and the server says that it has it.`);
        this.checkUsed();
        const before = this.game?.terms.holders;
        this.follow(new BlindGame(terms));
        this.isPlain = false;
        // Within a game only a player who leaves it ends a deal's keys: they lose theirs.
        const kept = terms.holders.map((holder, seat) => (holder === before?.[seat] ? holder : SERVER)).join();
        if (this.isBegun && before && (kept !== terms.holders.join() || kept === before.join())) throw begunAgain();
        this.isBegun = true;
    }

    /** Go on from what the server says the game has come to. @param {Uint8Array} span */
    resume(span) {
        const game = sound(() => BlindGame.resumed(span), (why) => t`The state of the deal that the server gave is no good: ${why}.`);
        const known = this.game;
        if (known && isEqual(known.terms.hash, game.terms.hash)) {
            if (!this.goesOn(known, game)) throw anotherDeal();
        } else {
            this.checkTerms(game.terms);
            this.isBegun = false;
        }
        this.follow(game);
        this.isPlain = false;
        this.unused = 0;
        this.owes = null;
        this.loses.clear();
        this.isPartlyKnown = Boolean(game.playing?.isRead);
        this.isResumed = true;
        this.checkDeal();
        this.readHand();
    }

    /** True if one state of a game may have become the other, as far as we know. @param {BlindGame} known @param {BlindGame} now */
    goesOn(known, now) {
        const isKey = now.keys.every((key, seat) => key?.toBytes().join() === known.keys[seat]?.toBytes().join() || !known.keys[seat]);
        if (now.seen < known.seen || !isKey) return false;
        if (this.seat !== null && (now.last.get(this.seat) ?? -1) < (known.last.get(this.seat) ?? -1)) return false;
        const deals = new Map([...now.beside, ...now.deals].map((deal) => [deal.number, deal]));
        if ([...known.beside, ...known.deals].some((deal) => deals.get(deal.number)?.goesOn(deal) === false)) return false;
        if (known.blames.some((blame, at) => JSON.stringify(blame) !== JSON.stringify(now.blames[at]))) return false;
        const told = now.at(known.seen);
        return !told || isEqual(told.head, known.at(known.seen).head);
    }

    /** @param {Terms} terms */
    checkTerms(terms) {
        const cards = cardsOf(this.info.game, this.info.options);
        if (terms.table !== this.id) throw new Unsound(t`The deal is one of table ${terms.table}.`);
        if (cards && cards.join() !== terms.cards.join()) throw new Unsound(t`The pack is not the one that this table plays with.`);
        if (terms.holders.length !== this.info.seats.length) throw new Unsound(t`The deal is one for another number of players.`);
        if (this.game && terms.game <= this.game.terms.game) throw begunAgain();
    }

    takeKey() {
        const { seat, game } = this;
        this.party = null;
        this.hasLostKey = false;
        if (seat === null || !game) return;
        if (game.terms.holders[seat] === SERVER) {
            if (!this.info.seats[seat].holds_key || this.gaveUpIn === (this.info.games ?? 0)) return;
            if (this.hasCome || this.keepsKey) throw keyTaken();
            this.hasLostKey = true; // we may have given it up before we came
            return;
        }
        const told = game.keys[seat];
        const secret = this.gameKeys?.secretOf(this.id, game.terms.hash, Boolean(told));
        let party;
        try {
            party = secret && new Party(secret, game.terms, seat);
        } catch {
            throw new Unsound(t`The server gives your key to other players, too.`);
        }
        if (!party || (told && !isEqual(told.toBytes(), party.key.point.toBytes()))) this.hasLostKey = true;
        else this.party = party;
    }

    /** @param {Uint8Array} data @param {Uint8Array} receipt */
    hear(data, receipt) {
        const { game } = this;
        if (!game) throw new Unsound(t`A step of a deal was told, and none has begun.`);
        const blames = game.blames.length;
        let entry;
        try {
            entry = game.told(data, receipt);
            this.noteAct(entry);
        } catch (why) {
            if (why instanceof ServerFault) throw this.faultOf(data[0], why.message);
            if (why instanceof ProofError) throw new Unsound(t`The server did not sign what it told of the deal: ${why.message}.`);
            throw why;
        }
        if ((this.sent && isEqual(data, this.sent)) || game.blames.length > blames) this.sent = null;
        for (const { seat } of game.blames.slice(blames)) {
            this.unused = 0;
            if (game.terms.holders[seat] !== SERVER) this.owes?.set(seat, (this.owes.get(seat) ?? 0) + 1);
        }
        if (entry.kind === KEY && entry.author === this.seat) this.takeKey();
        if (entry.kind === DEAL) this.takeDeal();
        if (entry.kind === RENEW) this.checkUsed();
        if (entry.kind === SHARES) {
            this.readHand();
        }
    }

    takeDeal() {
        const deal = /** @type {Deal} */ (this.playing);
        this.checkUsed();
        this.unused = deal.number;
        this.names.clear();
        this.turned = 0;
        this.checkDeal();
        if (deal.isStock) return;
        this.hand = deal.isRead ? new ReadHand(deal) : null;
        this.isPartlyKnown = false;
    }

    /** Who gets places of the deal in play, before we give our shares of it. */
    checkDeal() {
        const deal = this.playing;
        if (deal?.isRead && !mayBeRead(this.info)) throw new Unsound(t`The server wants to read the pack, and the rules of this table do not need that.`);
        if (deal && !deal.isRead && !hasHands(this.info, deal.owners)) throw new Unsound(t`Deal ${deal.number}: its hands are not as large as the rules deal them.`);
    }

    /** A server may deal again only for a cause that everybody can see: it reads the cards of a seat that it holds when the others have given their shares. */
    checkUsed() {
        if (this.unused && cardsOf(this.info.game, this.info.options)) throw new Unsound(t`Deal ${this.unused} was not played, and the server deals again.`);
    }

    /** @param {{deal: number, place: number, shares: string}[]} places */
    open(places) {
        const { hand, playing } = this;
        if (hand && playing) hand.open(places, playing);
        else if (!this.isPartlyKnown) throw new Unsound(t`Cards were opened, and the server reads no deal.`);
    }

    /** @param {number} author @param {string} reason */
    faultOf(author, reason) {
        const isServer = author === SERVER;
        const says = reason !== OTHER_STORY ? t`A step by ${isServer ? t`the server` : this.named(author)} was let through that does not hold: ${reason}.`
            : isServer ? t`The server was told another story than this, or a signed step was dropped.`
            : author === this.seat ? t`You were told another story than this, or a signed step was dropped.`
            : t`${this.named(author)} was told another story than this, or a signed step was dropped.`;
        return new Unsound(says);
    }

    /** @param {Entry} entry */
    noteAct({ author, kind, body }) {
        if (kind === SHOW) this.signedActs = this.signedActs.slice(-64);
        if ((kind === SHOW || kind === ACT) && this.loses.has(author)) throw new Unsound(t`The server lets ${this.named(author)} play a hand that is lost.`);
        if (kind !== ACT) return;
        const act = (body[0] !== UNSEEN && unpack(body)) || {};
        const isRuling = author === SERVER;
        this.signedActs.push({ seat: isRuling ? act.seat : author, act, isRuling });
        if (!isRuling) return;
        if (act.ruling === "left") {
            this.unused = 0;
            this.left.add(act.seat);
            if (act.seat === this.seat) this.giveUp();
        }
        if (act.ruling === "missed") this.loseTurn(act.seat);
    }

    /** A turn is over for a part of the deal. @param {number} seat */
    loseTurn(seat) {
        if (!this.owes) return;
        const isCounted = this.loses.get(seat);
        if (isCounted === undefined) throw new Unsound(t`The server takes a hand from ${this.named(seat)}, and no part of a deal was missed.`);
        if (!isCounted) this.owes.set(seat, (this.owes.get(seat) ?? 0) - 1);
        this.loses.set(seat, true);
    }

    /** @param {number} seat @param {number} missed parts in this game @param {boolean} isDismissed */
    checkMiss(seat, missed, isDismissed) {
        if (!this.game || !this.owes) return;
        this.missed[seat] += 1;
        const isLast = this.blames[this.blames.length - 1]?.seat === seat;
        if (!isLast || missed !== this.missed[seat] || (isDismissed && missed < 2)) throw new Unsound(t`The server says that ${this.named(seat)} missed a part of a deal, and it is not so.`);
    }

    /** A deal comes into play: who owes a hand loses it. @param {any[]} steps */
    loseHands(steps) {
        const isStock = steps.some(({ step }) => step === "StockRenewed");
        if (!this.owes || !(isStock || steps.some(({ step }) => step === "HandsDealt"))) return;
        const owing = [...this.owes].filter(([, hands]) => hands > 0).map(([seat]) => /** @type {[number, boolean]} */ ([seat, false]));
        this.loses = new Map([...owing, ...(isStock ? this.loses : [])]);
    }

    /** Each act that is told was signed by its player, or decided by the server about them. The share of a card that is shown
     * is signed, so without reading no more is to be compared. @param {TableEvent} event @param {string} says */
    checkAct(event, says) {
        const { seat, card, to } = event;
        const does = acts[event.event];
        if (!does || !this.game || (card && !this.playing?.isRead)) return;
        if (card && (!this.owes || this.left.has(seat ?? 0))) return; // cards of a player who left are played on; before we came one may have
        const isUnseen = does.some(isUnseenAct);
        const chosen = to === undefined ? CHOSEN : []; // which card is given to another player is not chosen by the act
        const isIt = (/** @type {any} */ act) => act.do ? does.includes(act.do) && chosen.every((name) => (event[name] ?? act[name]) === (act[name] ?? event[name])) : isUnseen;
        const at = this.signedActs.findIndex((one) => (one.seat === seat && (one.isRuling || isIt(one.act))) || (one.act.do === "let" && one.seat === to)); // who is let give has to
        if (at < 0) throw new Unsound(t`Nobody signed what was told: ${says}`);
        this.signedActs.splice(0, this.signedActs[at].isRuling ? at : at + 1);
    }

    /** Open our own cards, when every other seat gave its shares of them. */
    readHand() {
        const { playing, party } = this;
        if (!playing?.isShared || playing.isRead || !party) return;
        for (const [place, card] of party.hand(playing)) {
            if (card === null) throw new Unsound(t`Deal ${playing.number}: you were dealt what is no card of the pack.`);
            this.names.set(`#${place}`, card);
        }
    }

    /** Every card that an event shows was dealt so, and opened by the transcript.
     * @param {{card: string, seat: number | null, isOwn: boolean}[]} shown @param {any[]} steps */
    checkCards(shown, steps) {
        const deal = this.playing;
        if (steps.some(({ step }) => ["HandsDealt", "StockRenewed", "TurnedUp"].includes(step))) this.unused = 0;
        if (deal?.isRead) {
            this.hand?.check(shown, steps, deal);
            return;
        }
        for (const { step, counts } of steps) {
            if (step !== "HandsDealt") continue;
            const isSound = deal?.isShared && counts.length === this.info.seats.length && counts.every((/** @type {number} */ count, /** @type {number} */ seat) => count === deal.hand(seat).length);
            if (!isSound) throw new Unsound(t`Deal ${this.dealNumber}: it was told to other players than it was dealt to.`);
        }
        if (!shown.length) return;
        if (!deal) throw new Unsound(t`Cards were shown, and no deal is in play.`);
        const isTurnedUp = steps.some(({ step }) => step === "TurnedUp");
        const own = new Set(this.names.values());
        for (const { card, seat, isOwn } of shown) {
            let isSound;
            if (isTurnedUp) {
                isSound = deal.owners[this.turned] === null && deal.shown.get(this.turned) === card;
                this.turned += 1;
            } else if (isOwn) isSound = this.party ? own.delete(card) : true; // each once; without our key the server reads this hand
            else isSound = [...deal.shown].some(([place, one]) => one === card && deal.owners[place] === seat);
            if (isSound) continue;
            const holder = seat === null || isTurnedUp ? t`the pack` : this.named(seat);
            throw new Unsound(t`Deal ${deal.number}: ${PLACE.test(card) ? t`the card at place ${card.slice(1)}` : nameOf(card)} was shown, and was not dealt to ${holder}.`);
        }
    }

    /** @param {number} seat */
    named(seat) {
        return seat === this.seat ? t`you` : (this.info.seats[seat]?.name ?? t`seat ${seat}`);
    }

    /** Our act as it is to be sent. @param {any} action @returns {{action: any, entry?: Uint8Array}} */
    sign(action) {
        const { game, party, playing } = this;
        if (this.hasLostKey) throw new NoKey(t`The key of your cards is not here: another program of yours has it, or it is lost. You can neither see nor play them.`);
        if (!game || !party) return { action };
        if (!playing) throw new NoKey(t`No hand is in play.`);
        if (!action.card || playing.isRead) {
            const body = pack(action);
            this.sent = party.act(game, playing.isRead && isUnseenAct(action.do) ? party.unseen(game, body) : body);
            return { action, entry: this.sent };
        }
        const token = [...this.names].find(([, card]) => card === action.card)?.[0];
        if (!token) throw new NoKey(t`You do not hold this card.`);
        this.sent = party.show(game, Number(token.slice(1)));
        return { action: { ...action, card: token }, entry: this.sent };
    }

    /** The sentence for a shuffle that does not hold in a hand that was dealt all the same; null: there is none. */
    wrongShuffle() {
        const deal = this.playing;
        if (!deal?.isShared || deal.wrong === null) return null;
        return t`Deal ${deal.number}: the shuffle of ${this.named(deal.wrong)} does not hold, and the cards were dealt all the same.`;
    }
}

/** @template T @param {() => T} does @param {(why: string) => string} says @returns {T} */
function sound(does, says) {
    try {
        return does();
    } catch (why) {
        if (why instanceof ProofError) throw new Unsound(says(why.message));
        throw why;
    }
}

