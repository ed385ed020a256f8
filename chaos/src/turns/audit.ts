/** The audit of the targets "bots" and "agents": delivers every update a last time, then reads every conversation. */
import { systemClock } from "@sessions/protocol";
import { Random } from "run-tools";
import { AUDIT } from "../log/audit-name.js";
import { type AuditPlace, runAudit } from "../worker/run-audit.js";
import { delivererOf } from "./deliverers.js";
import { readConversation } from "./read-conversation.js";
import { redeliver } from "./redeliver.js";
import type { Update } from "./update.js";

await runAudit(async (place) => {
  const { task, store, write, surprise, lines } = place;
  const script = { process: AUDIT, random: new Random(task.seed, AUDIT), write, fails: false };
  const deliverer = delivererOf(task, script, { ...place, clock: systemClock, ttlMs: task.turnTtlMs });
  await redeliver(deliverer, deliveredIn(lines), surprise);
  for await (const { id, labels } of store.listSessions({ order: "id-asc" })) {
    if (labels["bot"] === "link") continue;
    await readConversation(place, id).then(write, (error: unknown) => surprise(id, error));
  }
});

/** Every update that anybody has delivered, in the order in which users sent them. */
function deliveredIn(lines: AuditPlace["lines"]): readonly Update[] {
  const updates = new Map<number, Update>();
  for (const line of lines)
    if (line.type === "delivered" && line.via !== "link") updates.set(line.update.number, line.update);
  return [...updates.values()].sort((a, b) => a.number - b.number);
}
