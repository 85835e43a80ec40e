// Sounds of the table, made by the browser: a few tones for each. It is loaded at the first touch, before which browsers
// allow none.

/** Tones by name: frequency in hertz, start and length in seconds. @type {Record<string, [number, number, number][]>} */
const TONES = {
    deal: [[150, 0, 0.04], [170, 0.07, 0.04], [150, 0.14, 0.04]],
    play: [[190, 0, 0.05]],
    word: [[240, 0, 0.06]],
    trick: [[247, 0, 0.08], [294, 0.08, 0.1]],
    hand: [[330, 0, 0.14], [262, 0.14, 0.24]],
    asked: [[660, 0, 0.08], [880, 0.1, 0.12]],
    call: [[294, 0, 0.14], [392, 0.13, 0.22]],
    turn: [[660, 0, 0.1]],
    won: [[523, 0, 0.14], [659, 0.13, 0.14], [784, 0.26, 0.3]],
    lost: [[392, 0, 0.18], [311, 0.17, 0.18], [262, 0.34, 0.34]],
};

const LOUDNESS = 0.12;
const TURN_MS = 40; // of vibration

export class Sounds {
    constructor() {
        /** @type {AudioContext | null} */
        this.context = null;
    }

    /** @param {string} name */
    play(name) {
        if (!TONES[name]) return;
        const context = (this.context ??= new AudioContext());
        if (context.state === "suspended") void context.resume();
        for (const [frequency, start, length] of TONES[name]) {
            const tone = context.createOscillator();
            const gain = context.createGain();
            const at = context.currentTime + start;
            tone.type = "triangle";
            tone.frequency.value = frequency;
            gain.gain.setValueAtTime(LOUDNESS, at);
            gain.gain.exponentialRampToValueAtTime(0.001, at + length);
            tone.connect(gain).connect(context.destination);
            tone.start(at);
            tone.stop(at + length);
        }
        if (name === "turn") navigator.vibrate?.(TURN_MS);
    }
}
