/** The last process of a run of calls: it lists, verifies and reads every session, and resumes every watcher. */
import { Recorder } from "@sessions/conformance/multi-process";
import { sortLog } from "../judge/judge.js";
import { FINAL_READ } from "../log/final-read-name.js";
import { type FinalReadContext, harmIn, runFinalRead } from "../worker/run-final-read.js";
import { listAll, readAll } from "./operations/read-session.js";
import { resumeWatchers } from "./resume-watchers.js";

await runFinalRead(async ({ lines, ...context }) => {
  const { store, write, logUnexpected, task, module } = context;
  const called = lines.flatMap((line) => (line.type === "invoke" ? [line.session] : []));
  const listed = await listAll({ store, write }, FINAL_READ);
  const final = new Map<string, number>();
  const recorder = new Recorder(FINAL_READ, write);
  for (const session of new Set([...called, ...listed]))
    await readFinal(context, recorder, final, session).catch((error: unknown) =>
      logUnexpected(session, error),
    );
  if (module.noFeeds === undefined)
    await resumeWatchers(sortLog(lines), final, { store, logs: task.logs, write, tolerates: [] });
});

/** Logs an absent session as well: the judge knows whether its creation was acknowledged. */
async function readFinal(
  { store, write }: Pick<FinalReadContext, "store" | "write">,
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
  write({ type: "final-state", session, revision, harm: await harmIn(store, session), applied });
}
