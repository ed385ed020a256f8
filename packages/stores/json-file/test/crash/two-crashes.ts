import type { SessionState } from "@sessions/protocol/backend";
import { type CrashState, crashStates } from "./crash-states.js";
import { DiskCache } from "./disk-cache.js";
import { type Enumeration, enumerate } from "./enumeration.js";
import type { OpenBackend } from "./open-backend.js";
import { Recording, type Run } from "./recording.js";
import { recover } from "./recovery.js";
import { sample } from "./sample.js";
import { TEARS } from "./sampling.js";
import { say } from "./scenarios/say.js";

/** Cuts the power, has a store recover and go on, and cuts the power again in every way. For some of the first cuts. */
export async function enumerateTwice(
  run: Run,
  open: OpenBackend,
  first: { readonly seed: number; readonly cuts: number },
): Promise<Enumeration> {
  const kinds = new Map<string, string>();
  const sum = { states: 0, disks: 0, violations: 0, kinds };
  for (const cut of sample(distinct(run), first.cuts, first.seed)) {
    const second = await goOn(cut, run, open);
    if (second === undefined) continue;
    const { states, disks, violations, kinds: found } = await enumerate(second, open);
    sum.states += states;
    sum.disks += disks;
    sum.violations += violations;
    for (const [kind, violation] of found) kinds.set(kind, `first cut: ${cut.how}; ${violation}`);
  }
  return sum;
}

/** Each disk that a power cut could leave at any time of a run. */
function distinct(run: Run): readonly CrashState[] {
  const found = new Map<string, CrashState>();
  const cache = new DiskCache(run.base);
  for (const event of run.events) {
    cache.take(event);
    for (const state of crashStates(cache, TEARS)) found.set(state.key, state);
  }
  return [...found.values()];
}

/** `undefined` where the first cut has left nothing to go on with, which the enumeration of first cuts judges. */
async function goOn(cut: CrashState, run: Run, open: OpenBackend): Promise<Run | undefined> {
  const recovery = await recover(cut.image, run, open);
  if (!recovery.ok) return undefined;
  const states = new Map<string, SessionState | undefined>();
  for (const [session, recovered] of recovery.sessions) {
    const version = recovered === "corrupted" ? undefined : recovered[0];
    if (version === undefined) return undefined;
    states.set(session, run.sessions.get(session)?.[version]?.state);
  }
  const { clock, ...options } = run.options;
  const recording = new Recording({ open, base: cut.image, now: clock.now(), states, ...options });
  const store = await recording.open("second");
  for (const session of states.keys()) {
    await store.addMessage(session, say("again"));
    await store.addMessage(session, say("and-again"));
  }
  return recording.finish();
}
