import { isDeepStrictEqual } from "node:util";
import { type ArchiveSummary, type Message, SessionError, type SessionStore } from "@sessions/protocol";
import { expectSame } from "../same.js";
import type { ActIntent } from "./act-intent.js";
import type { Expectation } from "./expectation.js";
import { expectationOf } from "./expectation-of.js";
import { readOf } from "./merge-act.js";
import { allOf, type NaiveMessage, type NaiveRead, type NaiveSession, newest } from "./naive-session.js";

/** A session id: what lives under it, and the revision that it has reached, also by a deletion. */
interface Slot {
  session: NaiveSession | undefined;
  revision: number;
  /** The revision of the last commit that did not just add messages. */
  rewrittenAt: number;
  readonly reads: NaiveRead[];
}

/** A sequence of public calls on a store, and what plain arrays say to them, side by side. */
export class NaiveSequence {
  /** Two on the same data: what one does, the other has to show. */
  readonly #stores: readonly [SessionStore, SessionStore];
  readonly #ids: readonly string[];
  readonly #transcript: unknown[];
  readonly #slots = new Map<string, Slot>();
  /** A message's time never changes once it is there. */
  readonly #times = new Map<string, number>();
  #names = 0;

  constructor(stores: readonly [SessionStore, SessionStore], name: string, transcript: unknown[]) {
    this.#stores = stores;
    this.#ids = ["a", "b", "c"].map((letter) => `${name}-${letter}`);
    this.#transcript = transcript;
  }

  async run(acts: readonly ActIntent[]): Promise<void> {
    try {
      for (const act of acts) await this.#take(act);
    } finally {
      for (const id of this.#ids) await this.#stores[0].deleteSession(id);
    }
  }

  async #take(act: ActIntent): Promise<void> {
    const id = this.#id(act.session);
    const other = "to" in act ? this.#id(act.to) : id;
    const slot = this.#slot(id);
    slot.reads.push(readOf(slot, slot.revision));
    const context = { ...slot, id, newId: () => `m${++this.#names}` };
    const elsewhere = { id: other, session: this.#slot(other).session };
    this.#transcript.push({ ...act, session: id });
    await this.#meet(expectationOf(act, context, slot.revision, elsewhere), slot);
    for (const one of this.#ids) await this.#compare(one);
  }

  async #meet(expectation: Expectation, slot: Slot): Promise<void> {
    const { call, code, next, made, messages } = expectation;
    const result = await call(this.#actor()).catch((error: unknown) => error);
    expectSame(
      SessionError.is(result) ? result.code : result instanceof Error ? result : undefined,
      code,
      "the refusal",
    );
    if (code !== undefined) return;
    if (messages !== undefined)
      expectSame(untimed(messagesIn(result)), texts(messages), "the messages of the result");
    if (made !== undefined) this.#make(made);
    if (next === undefined) return;
    const after = next(result);
    // Every accepted commit raises the revision by exactly one; what changes nothing raises nothing.
    if (!isDeepStrictEqual(after, slot.session)) this.#change(slot, after, expectation);
  }

  #change(slot: Slot, after: NaiveSession | undefined, { rewrites }: Expectation): void {
    const { session: before, revision } = slot;
    slot.revision += 1;
    slot.session = after;
    // A deleted session lives on in its revision: nothing that was read of it can be merged with the next one.
    if (before === undefined) slot.rewrittenAt = revision > 0 ? slot.revision : 0;
    else if (after !== undefined && (rewrites ?? !isExtended(before, after)))
      slot.rewrittenAt = slot.revision;
  }

  #make({ id, session, revision, rewrittenAt }: NonNullable<Expectation["made"]>): void {
    const slot = this.#slot(id);
    const hadAnother = slot.revision > 0;
    slot.revision = revision(slot.revision);
    slot.rewrittenAt = hadAnother ? slot.revision : rewrittenAt;
    slot.session = session;
  }

  async #compare(id: string): Promise<void> {
    const { session: expected, revision } = this.#slot(id);
    const actual = await this.#reader().getSession(id);
    expectSame(actual !== undefined, expected !== undefined, `whether there is a session "${id}"`);
    if (actual === undefined || expected === undefined) return;
    expectSame(actual.revision, revision, `the revision of "${id}"`);
    this.#keepTimes(id, actual.messages);
    expectSame(untimed(actual.messages), texts(expected.live), `the live messages of "${id}"`);
    expectSame({ ...actual.metadata }, expected.metadata, `the metadata of "${id}"`);
    expectSame({ ...actual.counters }, expected.counters, `the counters of "${id}"`);
    expectSame(actual.title, expected.title, `the title of "${id}"`);
    expectSame(
      actual.snapshots.map((one) => one.name).sort(),
      Object.keys(expected.snapshots).sort(),
      `the snapshots of "${id}"`,
    );
    await this.#compareArchives(id, expected);
    await this.#compareWindow(id, expected);
  }

  async #compareWindow(id: string, { live }: NaiveSession): Promise<void> {
    const limit = this.#transcript.length % 4;
    const window = await this.#reader().getChatHistory(id, { limit });
    expectSame(untimed(window), texts(newest(live, limit)), `the newest ${limit} messages of "${id}"`);
  }

  async #compareArchives(id: string, expected: NaiveSession): Promise<void> {
    const archives = await this.#reader().listArchives(id);
    expectSame(
      archives.map((one) => [one.id, summaryText(one.summary)]),
      expected.archives.map((one) => [one.id, one.summary]),
      `the archives of "${id}"`,
    );
    for (const one of expected.archives) {
      const { messages } = await this.#reader().getArchive(id, one.id);
      this.#keepTimes(id, messages);
      expectSame(untimed(messages), texts(one.messages), `the messages of archive "${one.id}"`);
    }
  }

  #keepTimes(id: string, messages: readonly Message[]): void {
    for (const message of messages) {
      const key = `${id} ${message.id}`;
      const known = this.#times.get(key) ?? message.createdAt;
      this.#times.set(key, known);
      expectSame(message.createdAt, known, `the time of message "${message.id}"`);
    }
  }

  /** By turns. */
  #actor(): SessionStore {
    return this.#stores[this.#transcript.length % 2 === 0 ? 0 : 1];
  }

  #reader(): SessionStore {
    return this.#stores[this.#transcript.length % 3 === 0 ? 0 : 1];
  }

  #id(which: number): string {
    return this.#ids[which % this.#ids.length] ?? "";
  }

  #slot(id: string): Slot {
    const slot = this.#slots.get(id) ?? { session: undefined, revision: 0, rewrittenAt: 0, reads: [] };
    this.#slots.set(id, slot);
    return slot;
  }
}

function messagesIn(result: unknown): readonly Message[] {
  return typeof result === "object" &&
    result !== null &&
    "messages" in result &&
    Array.isArray(result.messages)
    ? result.messages
    : [];
}

/** Whether all messages are still there, unchanged and in order, and new ones only behind them. */
function isExtended(before: NaiveSession, after: NaiveSession): boolean {
  const now = allOf(after);
  return allOf(before).every((message, index) => isDeepStrictEqual(message, now[index]));
}

/** Messages as JSON text without their times, keys in one order. */
function untimed(messages: readonly Message[]): readonly string[] {
  return texts(messages.map(({ createdAt: _, ...rest }) => ({ ...rest, id: rest.id, role: rest.role })));
}

function texts(messages: readonly Partial<NaiveMessage>[]): readonly string[] {
  return messages.map((message) =>
    JSON.stringify(Object.entries(message).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

function summaryText(summary: ArchiveSummary): string {
  if (summary.status === "pending") return "pending";
  return summary.status === "done" ? `done ${summary.text}` : `failed ${summary.attempts} ${summary.error}`;
}
