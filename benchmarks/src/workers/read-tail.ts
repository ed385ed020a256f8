/** Reads the last 20 of session "s" in a fresh process, and says what that took of memory: `read-tail <store> <folder>`. */
import { readFileSync } from "node:fs";
import { ensureEqual } from "../ensure-equal.js";
import { heldNow } from "../held-now.js";
import { storeNamed } from "../stores/stores.js";
import { live, say } from "../worker-life.js";

await live(async () => {
  const [, , store, folder = ""] = process.argv;
  const under = storeNamed(store);
  const [held, resident] = [heldNow(), process.memoryUsage.rss()];
  const opened = await under.open(folder);
  const tail = await opened.getChatHistory("s", { limit: 20 });
  const heldAfter = heldNow();
  ensureEqual("messages read", tail.length, 20);
  say({ held: heldAfter - held, peak: peakResident() - resident });
  await opened.close();
});

/** What getrusage calls the maximum may be that of the process that started this one; Linux knows better. */
function peakResident(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const kibibytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  if (kibibytes === undefined) throw new Error("/proc/self/status does not say how large this process was");
  return Number(kibibytes) * 1024;
}
