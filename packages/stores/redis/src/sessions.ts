import type { CommitMemory, TurnMemory } from "@sessions/protocol";
import type { Absences } from "./absences.js";
import type { Acknowledgements } from "./acknowledgements.js";
import type { Deadline } from "./deadline.js";
import { refuseNewer } from "./error-mapping.js";
import { Glance } from "./glance.js";
import type { Keys } from "./keys.js";
import { withLikely } from "./likely.js";
import { formatsIn, type Hold, type Loaded, type Loading, loadArguments, readLoaded } from "./loading.js";
import { refuseGone } from "./lost-row.js";
import { commitField } from "./memory-source.js";
import { Missing, type Wanted } from "./missing.js";
import { Moment } from "./moment.js";
import { LOAD } from "./scripts.js";
import type { Server } from "./server.js";
import type { SessionCache } from "./session-cache.js";
import { NO_LOOKUPS, unaskedWindow } from "./unasked.js";
import { wrongTypeIsDamage } from "./wrong-type.js";

/** So many rows are read in one go: the server does nothing else meanwhile. */
const ROWS_AT_ONCE = 500;
const MEMORIES_AT_ONCE = 1000;

interface SessionsContext {
  readonly server: Server;
  readonly keys: Keys;
  readonly cache: SessionCache;
  readonly absences: Absences;
  readonly acknowledgements: Acknowledgements;
  readonly who: string;
}

/** After so many steps of one reading others are asked to wait, for so long. */
const PATIENT_TRIES = 4;
const HOLD_MS = 100;

/** What a first reading brings along. */
export interface First extends Wanted {
  readonly tail?: number;
  readonly hold?: Hold;
  readonly background?: boolean;
  /** Fields that may be wanted: if one of them is, those that stand behind it are read along. */
  readonly likely?: readonly string[];
}

/** The sessions, as the server has them at one moment. */
export class Sessions {
  readonly #context: SessionsContext;

  constructor(context: SessionsContext) {
    this.#context = context;
  }

  /**
   * Reads a session and works on it. What turns out to be missing is read too, and the work is done anew: so whatever it
   * comes to is of one moment.
   */
  async with<Result>(
    id: string,
    first: First,
    deadline: Deadline,
    work: (moment: Moment) => Result,
  ): Promise<Result> {
    return this.#worked(await this.#first(id, first, deadline), first, deadline, work);
  }

  /** The same for who decides nothing: a session that was read before need not be read as a whole. */
  async look<Result>(
    id: string,
    first: First,
    deadline: Deadline,
    work: (moment: Moment) => Result,
  ): Promise<Result> {
    const moment = (await this.#glance(id, first, deadline)) ?? (await this.#first(id, first, deadline));
    return this.#worked(moment, first, deadline, work);
  }

  /** A session that the server had nothing of a moment ago. What is decided on it has to be compared when it is written. */
  absent(id: string): Moment | undefined {
    const { absences, acknowledgements } = this.#context;
    const now = absences.take(id);
    if (now === undefined || acknowledgements.last(id) !== undefined) return undefined;
    return new Moment(id, now, undefined, undefined, NO_LOOKUPS);
  }

  async #worked<Result>(
    begin: Moment,
    first: First,
    deadline: Deadline,
    work: (moment: Moment) => Result,
  ): Promise<Result> {
    let moment = begin;
    for (let tries = 1; ; tries++) {
      // Writers may be faster than a reading in several steps: then they stand back for a moment.
      const hold =
        first.hold ?? (tries > PATIENT_TRIES ? { who: this.#context.who, ms: HOLD_MS } : undefined);
      try {
        return work(moment);
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        const wanted = withLikely(error.wanted, first.likely ?? [], moment);
        const { background } = first;
        moment = await this.#more(
          moment,
          wanted,
          { ...(hold && { hold }), ...(background && { background }) },
          deadline,
        );
      }
    }
  }

  /** What is known of the session, if the server says that it is still so, with the messages that were added since. */
  async #glance(id: string, first: First, deadline: Deadline): Promise<Moment | undefined> {
    const { server, keys, cache, acknowledgements } = this.#context;
    const known = cache.get(id);
    if (known === undefined || !isGlance(first) || !acknowledgements.isProven(id, server.epoch))
      return undefined;
    // Whether it has expired would be for the server's clock to say.
    if (known.head.expiresAt !== undefined) return undefined;
    const { session } = keys.session(id);
    const expected = acknowledgements.last(id);
    const { epoch } = server;
    known.content.table.settle();
    const glance = new Glance(known, (first.tail ?? 0) > 0);
    const reply = await server.fields(session, glance.fields, deadline).catch(wrongTypeIsDamage(session));
    // Asked again on another connection: what was known counts no more.
    if (server.epoch !== epoch) return undefined;
    const present = glance.read(reply, session);
    if (present === undefined) return undefined;
    const { revision, updatedAt } = present.head;
    const shown = { revision, remembers: undefined, epoch };
    if (expected !== undefined) acknowledgements.compare(id, expected, shown, first.background === true);
    cache.put(id, present);
    return new Moment(id, updatedAt, present, unaskedWindow(revision), NO_LOOKUPS);
  }

  async #first(
    id: string,
    { givenCommits, finishedTurns, hold, likely: _, ...first }: First,
    deadline: Deadline,
  ): Promise<Moment> {
    const rows = first.rows?.slice(0, ROWS_AT_ONCE);
    const loading = { ...first, ...(rows && { rows }), ...(hold && { hold }) };
    const moment = this.#momentOf(id, await this.#load(id, loading, deadline), loading, undefined);
    return givenCommits === true || finishedTurns === true
      ? this.#more(moment, { givenCommits, finishedTurns }, loading, deadline)
      : moment;
  }

  /** The same session, with what is wanted: of a later moment. */
  async #more(
    before: Moment,
    wanted: Wanted,
    { hold, background }: Pick<Loading, "hold" | "background">,
    deadline: Deadline,
  ): Promise<Moment> {
    const { rows = [], fields = [], memories = [], givenCommits, finishedTurns } = wanted;
    const manner = background === true ? { background } : {};
    await this.#readAhead(before, rows, manner, deadline);
    const last = rows.length > ROWS_AT_ONCE ? deadline.again() : deadline;
    const loading: Loading = {
      rows: this.#absent(before, rows).slice(0, ROWS_AT_ONCE),
      fields,
      memories,
      ...(givenCommits === true ? { givenFrom: 0 } : {}),
      ...(finishedTurns === true ? { turnsFrom: 0 } : {}),
      ...(hold && { hold }),
      ...manner,
    };
    const loaded = await this.#load(before.sessionId, loading, last);
    refuseGone(loaded, loading, before);
    const listed = await this.#listed(before.sessionId, loaded, loading, deadline);
    const moment = this.#momentOf(before.sessionId, loaded, loading, listed);
    // What was looked up before counts only if nothing has changed since.
    return moment.isSameAs(before) ? moment.with(before.lookups) : moment;
  }

  /** All but the last rows of many, page by page. Rows do not change, so it does not matter when they were read. */
  async #readAhead(
    before: Moment,
    rows: readonly number[],
    manner: Pick<Loading, "background">,
    deadline: Deadline,
  ): Promise<void> {
    for (let rest = rows; rest.length > ROWS_AT_ONCE; ) {
      const page = rest.slice(0, ROWS_AT_ONCE);
      const loaded = await this.#load(before.sessionId, { ...manner, rows: page }, deadline.again());
      if (loaded.present?.head.life !== before.present?.head.life) return;
      refuseGone(loaded, { rows: page }, before);
      const left = this.#absent(before, page);
      rest = [...left, ...rest.slice(ROWS_AT_ONCE)];
    }
  }

  #absent({ present }: Moment, rows: readonly number[]): readonly number[] {
    return present === undefined
      ? []
      : rows.filter((row) => present.content.table.get(row, present.head.version) === undefined);
  }

  /** All that is remembered, if that was asked for: the rest of it, page by page. */
  async #listed(id: string, loaded: Loaded, loading: Loading, deadline: Deadline): Promise<Listed> {
    const given = [...loaded.given];
    const turns = [...loaded.turns];
    const { givenNumbers, turnNumbers } = loaded;
    const manner = loading.background === true ? { background: true } : {};
    if (loading.givenFrom !== undefined)
      for (
        let from = givenNumbers.first + MEMORIES_AT_ONCE;
        from < givenNumbers.last;
        from += MEMORIES_AT_ONCE
      )
        given.push(...(await this.#load(id, { ...manner, givenFrom: from }, deadline)).given);
    if (loading.turnsFrom !== undefined)
      for (let from = turnNumbers.first + MEMORIES_AT_ONCE; from < turnNumbers.last; from += MEMORIES_AT_ONCE)
        turns.push(...(await this.#load(id, { ...manner, turnsFrom: from }, deadline)).turns);
    return { given, turns };
  }

  async #load(id: string, loading: Loading, deadline: Deadline): Promise<Loaded> {
    const { server, keys, cache, absences, acknowledgements } = this.#context;
    const { session, window } = keys.session(id);
    const known = cache.get(id);
    known?.content.table.settle();
    const expected = acknowledgements.last(id);
    const asks = expected !== undefined && !acknowledgements.isProven(id, server.epoch);
    const { epoch } = server;
    const asked = asks
      ? { ...loading, memories: [...(loading.memories ?? []), commitField(expected.commitId)] }
      : loading;
    const reply = await server
      .ask(LOAD, [session, window], loadArguments(asked, known), deadline)
      .catch(wrongTypeIsDamage(`${session} or ${window}`));
    // Asked again on another connection: what was known counts no more, and what was acknowledged has to be shown.
    if (server.epoch !== epoch) return this.#load(id, loading, deadline);
    // Before it is read: what a newer version wrote may look like damage.
    for (const format of formatsIn(reply)) refuseNewer(format);
    const loaded = readLoaded(reply, asked, known, session);
    if (expected !== undefined) {
      const remembers = asks ? loaded.memories.at(-1) !== undefined : undefined;
      const shown = { revision: loaded.window?.revision ?? 0, remembers, epoch };
      acknowledgements.compare(id, expected, shown, loading.background === true);
    }
    const { present, now } = loaded;
    if (present !== undefined) cache.put(id, present);
    else {
      cache.forget(id);
      if (loaded.window === undefined) absences.note(id, now);
    }
    return loaded;
  }

  #momentOf(id: string, loaded: Loaded, loading: Loading, listed: Listed | undefined): Moment {
    const { now, present, window } = loaded;
    return new Moment(id, now, present, window, {
      fields: zipped(loading.fields, loaded.fields),
      memories: zipped(loading.memories, loaded.memories),
      given: loading.givenFrom === undefined ? undefined : listed?.given,
      turns: loading.turnsFrom === undefined ? undefined : listed?.turns,
    });
  }
}

/** Whether nothing but the last messages is wanted. */
function isGlance({ fields = [], rows, memories, givenCommits, finishedTurns, hold }: First): boolean {
  return fields.length === 0 && !(rows ?? memories ?? givenCommits ?? finishedTurns ?? hold);
}

interface Listed {
  readonly given: readonly CommitMemory[];
  readonly turns: readonly TurnMemory[];
}

function zipped(
  names: readonly string[] = [],
  values: readonly (string | undefined)[],
): ReadonlyMap<string, string | undefined> {
  return new Map(names.map((name, index) => [name, values[index]]));
}
