// Web Push: while the page is closed or hidden, the server tells the player of their move by the browser's push service.
// Loaded where the player wants that.

import { keepPage } from "./settings.js";
import { notify } from "./state.js";
import { store, stored } from "./storage.js";
import { t } from "./words.js";

const KEY = "put.push"; // the server's key when the browser subscribed

/** What the server is given. @type {PushSubscriptionJSON} */
let given = {};

/** Give the server a subscription of this browser, or take it back, as the settings say. @param {App} app */
export async function settle(app) {
    const isWanted = app.settings.alerts === "push";
    try {
        given = await subscription(isWanted);
    } catch {
        if (!isWanted) return;
        app.set({ ...app.settings, alerts: "on" });
        return notify(app.state, t`You cannot be told by push here now: you are told while the page is open.`);
    }
    tell(app);
    document.onvisibilitychange = () => tell(app);
    navigator.serviceWorker.onmessage = ({ data }) => app.go(data.table);
}

/** @param {boolean} isWanted @returns {Promise<PushSubscriptionJSON>} */
async function subscription(isWanted) {
    await keepPage();
    const { pushManager } = await navigator.serviceWorker.ready;
    const kept = await pushManager.getSubscription();
    const key = isWanted && (await (await fetch("/push-key")).text());
    if (kept && key && key === stored(KEY)) return kept.toJSON();
    await kept?.unsubscribe(); // also if the server was started anew, with another key
    if (!key) return isWanted ? Promise.reject(new Error("nothing is pushed here")) : {};
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    store(KEY, key);
    return made.toJSON();
}

/** Tell the server where to push, and whether the page is seen; then a notification has done its work. @param {App} app */
function tell(app) {
    const is_seen = document.visibilityState === "visible";
    app.connection.say({ type: "push", endpoint: given.endpoint, ...given.keys, is_seen });
    if (is_seen) void navigator.serviceWorker.ready.then((keeper) => keeper.getNotifications()).then((shown) => shown.forEach((one) => one.close()));
}
