/** A program that sends the contents of a store to its parent process. */
import { fixedClock } from "./fixed-clock.js";
import { importStore } from "./stores/import-store.js";
import { viewOf } from "./view.js";

const [module = "", folder = ""] = process.argv.slice(2);
const store = await (await importStore(module)).open(folder, { clock: fixedClock, runsUpkeep: false });
const view = await viewOf(store);
await store.close();
process.send?.(view);
