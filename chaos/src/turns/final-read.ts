/** The last process of a run of bots or agents: it delivers every update once more, then reads every conversation. */
import { systemClock } from "@sessions/protocol";
import { Random } from "run-tools";
import { FINAL_READ } from "../log/final-read-name.js";
import { type FinalReadContext, runFinalRead } from "../worker/run-final-read.js";
import { delivererOf } from "./deliverers.js";
import { readConversation } from "./read-conversation.js";
import { redeliver } from "./redeliver.js";
import type { Update } from "./update.js";

await runFinalRead(async (context) => {
  const { task, store, write, logUnexpected, lines } = context;
  const script = { process: FINAL_READ, random: new Random(task.seed, FINAL_READ), write, fails: false };
  const deliverer = delivererOf(task, script, { ...context, clock: systemClock, ttlMs: task.turnTtlMs });
  await redeliver(deliverer, deliveredIn(lines), logUnexpected);
  for await (const { id, labels } of store.listSessions({ order: "id-asc" })) {
    if (labels["bot"] === "link") continue;
    await readConversation(context, id).then(write, (error: unknown) => logUnexpected(id, error));
  }
});

/** Every update that a worker has delivered, in the order in which users sent them. */
function deliveredIn(lines: FinalReadContext["lines"]): readonly Update[] {
  const updates = new Map<number, Update>();
  for (const line of lines)
    if (line.type === "delivered" && line.via !== "link") updates.set(line.update.number, line.update);
  return [...updates.values()].sort((a, b) => a.number - b.number);
}
