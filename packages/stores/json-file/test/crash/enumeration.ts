import { type CrashState, crashStates } from "./crash-states.js";
import { DiskCache } from "./disk-cache.js";
import type { DiskEvent } from "./disk-event.js";
import type { OpenBackend } from "./open-backend.js";
import type { Run } from "./recording.js";
import { type Recovered, type Recovery, recover } from "./recovery.js";
import { TEARS } from "./sampling.js";
import type { Tears } from "./tears.js";
import type { Version } from "./versions.js";

/** What came of cutting the power at every point of a run. */
export interface Enumeration {
  readonly states: number;
  readonly disks: number;
  readonly violations: number;
  /** The first one of each kind, as one line. */
  readonly kinds: ReadonlyMap<string, string>;
}

/** Which versions of a session a power cut may leave: not before what was acknowledged, not after what was attempted. */
interface Bounds {
  acknowledged: number;
  attempted: number;
}

export interface EnumerationOptions {
  readonly tears?: Tears;
  /** Ends after this many violations. */
  readonly maxViolations?: number;
}

/** More violations than this say nothing new. */
const MAX_VIOLATIONS = 50;

/** Cuts the power after every event of a run, and has a store recover from each disk that this may leave. */
export async function enumerate(
  run: Run,
  open: OpenBackend,
  { tears = TEARS, maxViolations = MAX_VIOLATIONS }: EnumerationOptions = {},
): Promise<Enumeration> {
  const enumerating = new Enumerating(run, open, tears);
  await enumerating.at("the beginning");
  for (const [index, event] of run.events.entries()) {
    enumerating.take(event);
    // Neither changes what may be on the disk, nor forbids any of it.
    if (event.kind === "sync-began" || event.kind === "attempted") continue;
    await enumerating.at(`event ${index} (${describeEvent(event)})`);
    if (enumerating.violations >= maxViolations) break;
  }
  return enumerating;
}

class Enumerating implements Enumeration {
  states = 0;
  violations = 0;
  readonly kinds = new Map<string, string>();
  readonly #run: Run;
  readonly #open: OpenBackend;
  readonly #tears: Tears;
  readonly #cache: DiskCache;
  readonly #bounds = new Map<string, Bounds>();
  readonly #recoveries = new Map<string, Recovery>();

  constructor(run: Run, open: OpenBackend, tears: Tears) {
    this.#run = run;
    this.#open = open;
    this.#tears = tears;
    this.#cache = new DiskCache(run.base);
    for (const session of run.sessions.keys()) this.#bounds.set(session, { acknowledged: 0, attempted: 0 });
  }

  get disks(): number {
    return this.#recoveries.size;
  }

  take(event: DiskEvent): void {
    this.#cache.take(event);
    if (event.kind === "attempted") this.#attempted(event.session, event.commit);
    if (event.kind === "acknowledged") this.#acknowledged(event.session, event.revision);
  }

  /** Recovery depends on the disk alone, so equal disks recover once; what is allowed depends on when. */
  async at(when: string): Promise<void> {
    for (const state of crashStates(this.#cache, this.#tears)) {
      this.states++;
      const recovery = this.#recoveries.get(state.key) ?? (await recover(state.image, this.#run, this.#open));
      this.#recoveries.set(state.key, recovery);
      const problem = this.#problem(recovery, state);
      if (problem === undefined) continue;
      this.violations++;
      const kind = problem.replaceAll(/[0-9]+/g, "#");
      if (!this.kinds.has(kind)) this.kinds.set(kind, `after ${when}, ${state.how}: ${problem}`);
    }
  }

  #problem(recovery: Recovery, state: CrashState): string | undefined {
    if (!recovery.ok) return recovery.problem;
    for (const [session, recovered] of recovery.sessions) {
      const problem = this.#sessionProblem(session, recovered, state);
      if (problem !== undefined) return `session ${session} ${problem}`;
    }
    return undefined;
  }

  #sessionProblem(session: string, recovered: Recovered, state: CrashState): string | undefined {
    if (recovered === "corrupted") return state.gap ? undefined : "is said to be corrupted";
    const { acknowledged, attempted } = this.#boundsOf(session);
    if (recovered.length === 0) return "is what it never was";
    if (recovered.some((version) => version >= acknowledged && version <= attempted)) return undefined;
    return `is at version ${recovered.join(" or ")}, with ${acknowledged} acknowledged and ${attempted} attempted`;
  }

  #attempted(session: string, commit: string): void {
    const bounds = this.#boundsOf(session);
    const version = this.#versions(session).findIndex((version) => version.commit === commit);
    bounds.attempted = Math.max(bounds.attempted, version);
  }

  #acknowledged(session: string, revision: number): void {
    const bounds = this.#boundsOf(session);
    const version = this.#versions(session).findIndex((version) => version.revision === revision);
    bounds.acknowledged = Math.max(bounds.acknowledged, version);
  }

  #versions(session: string): readonly Version[] {
    return this.#run.sessions.get(session) ?? [];
  }

  #boundsOf(session: string): Bounds {
    const bounds = this.#bounds.get(session);
    if (bounds === undefined) throw new Error(`session ${session} is not part of the run`);
    return bounds;
  }
}

function describeEvent(event: DiskEvent): string {
  if (event.kind === "named") return `${event.call} ${event.path}`;
  if (event.kind === "written") return `append of ${event.bytes.length} bytes by ${event.process}`;
  if (event.kind === "acknowledged") return `revision ${event.revision} of ${event.session} acknowledged`;
  return event.kind;
}
