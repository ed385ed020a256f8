/** The audit of the target "store": lists, verifies and reads every session, and resumes every watcher. */
import { Recorder } from "@sessions/conformance/multi-process";
import { sortLog } from "../judge/judge.js";
import { AUDIT } from "../log/audit-name.js";
import { type AuditPlace, harmIn, runAudit } from "../worker/run-audit.js";
import { resumeWatchers } from "./resume-watchers.js";
import { listAll, readAll } from "./work/read-session.js";

await runAudit(async ({ lines, ...place }) => {
  const { store, write, surprise, task, module } = place;
  const named = lines.flatMap((line) => (line.type === "invoke" ? [line.session] : []));
  const listed = await listAll({ store, write }, AUDIT);
  const final = new Map<string, number>();
  const recorder = new Recorder(AUDIT, write);
  for (const session of new Set([...named, ...listed]))
    await audit(place, recorder, final, session).catch((error: unknown) => surprise(session, error));
  if (module.noFeeds === undefined)
    await resumeWatchers(sortLog(lines), final, { store, logs: task.logs, write, tolerates: [] });
});

/** A session whose creation was never acknowledged may be absent. The read is logged, and the judge decides. */
async function audit(
  { store, write }: Pick<AuditPlace, "store" | "write">,
  recorder: Recorder,
  final: Map<string, number>,
  session: string,
): Promise<void> {
  await readAll({ store, recorder }, session);
  const found = await store.getSession(session, { messages: "none" });
  if (found === undefined) return;
  const { revision } = found;
  const applied = found.counters["applied"] ?? 0;
  final.set(session, revision);
  write({ type: "audited", session, revision, harm: await harmIn(store, session), applied });
}
