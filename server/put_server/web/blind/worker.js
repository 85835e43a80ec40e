// The Worker in which the keys of our cards are: the page's thread only passes messages.

import { spoken } from "../words.js";
import { Desk } from "./desk.js";

const desk = new Desk((message) => postMessage(message));

addEventListener("message", ({ data }) => void spoken.then(() => desk.hear(data)));
