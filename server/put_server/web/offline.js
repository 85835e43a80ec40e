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
worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(worker.clients.matchAll({ type: "window" }).then(([open]) => (open ? open.focus() : worker.clients.openWindow("/"))));
});
