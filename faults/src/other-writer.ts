/** A program that writes one message. The shim starts it in the middle of a short write. */
import { fixedClock } from "./fixed-clock.js";
import { importStore } from "./stores/import-store.js";
import { writeAsOther } from "./write-as-other.js";

const [module = "", folder = "", sessionId = ""] = process.argv.slice(2);
const store = await (await importStore(module)).open(folder, { clock: fixedClock, runsUpkeep: false });
await writeAsOther(store, sessionId);
await store.close();
