// The service worker: the page and the files of one release, for when no server answers. The server writes the paths of the
// files before it, and sends it from the root.
//
// It never stands between a page and a newer server. The page is asked of the server first; what is kept is given by paths
// with the release in them, and to no other request; a WebSocket passes no worker.

const HERE = "/web/-/"; // the folder of the release
const FAMILY = "put ";
const CACHE = FAMILY + HERE;
const WAIT_MS = 4_000; // for a server that does not answer

const worker = /** @type {OfflineWorker} */ (/** @type {unknown} */ (self));

async function keep() {
    const page = await fetch("/", { cache: "reload" });
    if (!(await page.clone().text()).includes(HERE)) throw new Error("the server has another release by now");
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES);
    await cache.put("/", page);
}

/** Forget former releases: no page of them is open any more. */
async function forget() {
    for (const name of await caches.keys()) if (name.startsWith(FAMILY) && name !== CACHE) await caches.delete(name);
}

/** The page, from the server if it answers. @param {Request} request @returns {Promise<Response>} */
async function page(request) {
    const kept = await caches.match("/", { cacheName: CACHE });
    if (!kept) return fetch(request);
    return Promise.race([fetch(request).catch(() => kept), new Promise((done) => setTimeout(() => done(kept), WAIT_MS))]);
}

/** A file of this release. @param {Request} request */
const file = async (request) => (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(forget()));
worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return;
    if (pathname.startsWith(HERE)) event.respondWith(file(request));
    else if (request.mode === "navigate" && /^\/(|(table|watch)\/\d+)$/.test(pathname)) event.respondWith(page(request));
});

const SOON_MS = 43_200_000; // of a later moment the hour says nothing
const WINDOWS = { type: "window", includeUncontrolled: true };

/** A sentence in the reader's language, as words.js says it. @param {string} english @param {string | number} [value] */
async function said(english, value = "") {
    const texts = /^fr/i.test(navigator.language) ? await (await file(new Request(`${HERE}texts-fr.json`))).json() : {};
    return (texts[english] ?? english).replace("{}", String(value));
}

/** It is the player's move, and the server says so. @param {{table: number, until: number}} told */
async function note({ table, until }) {
    const pages = await worker.clients.matchAll(WINDOWS);
    if (pages.some(({ visibilityState }) => visibilityState === "visible")) return;
    const time = new Date(until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const body = await (until < Date.now() + SOON_MS ? said("It is your move, until {}.", time) : said("It is your move."));
    await worker.registration.showNotification(await said("Table {}", table), { body, tag: "put", data: table });
}

/** Show the table of a notification, in the page that is open if one is. @param {number} [table] */
async function show(table) {
    const [open] = await worker.clients.matchAll(WINDOWS);
    if (!open) return worker.clients.openWindow(table ? `/table/${table}` : "/");
    if (table) open.postMessage({ table });
    return open.focus();
}

worker.addEventListener("push", (event) => event.waitUntil(note(event.data.json())));
worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(show(event.notification.data ?? undefined));
});
