/** A process of its own that sends its parent what it finds in a folder. */
import { heldClock } from "./held-clock.js";
import { importStore } from "./stores/import-store.js";
import { viewOf } from "./view.js";

const [module = "", folder = ""] = process.argv.slice(2);
const store = await (await importStore(module)).open(folder, { clock: heldClock, tidies: false });
const view = await viewOf(store);
await store.close();
process.send?.(view);
