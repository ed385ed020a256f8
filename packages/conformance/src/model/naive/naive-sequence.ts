import { isDeepStrictEqual } from "node:util";
import { type ArchiveSummary, type Message, SessionError, type SessionStore } from "@sessions/protocol";
import { expectSame } from "../expect-same.js";
import type { ActionIntent } from "./action-intent.js";
import type { Expectation } from "./expectation.js";
import { expectationOf } from "./expectation-of.js";
import { readOf } from "./merge-action.js";
import { allOf, type NaiveMessage, type NaiveRead, type NaiveSession, newest } from "./naive-session.js";

/** The state of a session id. Its revision is kept after a deletion. */
interface Slot {
  session: NaiveSession | undefined;
  revision: number;
  /** The revision of the last commit that changed or removed messages. */
  rewrittenAt: number;
  readonly reads: NaiveRead[];
}

/** Runs a sequence of public calls on a store and on a model of plain arrays, and compares them after each call. */
export class NaiveSequence {
  /** Two stores on the same data, which write and read alternately. */
  readonly #stores: readonly [SessionStore, SessionStore];
  readonly #ids: readonly string[];
  readonly #transcript: unknown[];
  readonly #slots = new Map<string, Slot>();
  /** The time of every message, which must never change. */
  readonly #times = new Map<string, number>();
  #names = 0;

  constructor(stores: readonly [SessionStore, SessionStore], name: string, transcript: unknown[]) {
    this.#stores = stores;
    this.#ids = ["a", "b", "c"].map((letter) => `${name}-${letter}`);
    this.#transcript = transcript;
  }

  async run(actions: readonly ActionIntent[]): Promise<void> {
    try {
      for (const action of actions) await this.#run(action);
    } finally {
      for (const id of this.#ids) await this.#stores[0].deleteSession(id);
    }
  }

  async #run(action: ActionIntent): Promise<void> {
    const id = this.#id(action.session);
    const other = "to" in action ? this.#id(action.to) : id;
    const slot = this.#slot(id);
    slot.reads.push(readOf(slot, slot.revision));
    const context = { ...slot, id, newId: () => `m${++this.#names}` };
    const elsewhere = { id: other, session: this.#slot(other).session };
    this.#transcript.push({ ...action, session: id });
    await this.#callAndCheck(expectationOf(action, context, slot.revision, elsewhere), slot);
    for (const one of this.#ids) await this.#compare(one);
  }

  async #callAndCheck(expectation: Expectation, slot: Slot): Promise<void> {
    const { call, code, next, created: made, messages } = expectation;
    const result = await call(this.#writer()).catch((error: unknown) => error);
    expectSame(
      SessionError.is(result) ? result.code : result instanceof Error ? result : undefined,
      code,
      "the refusal",
    );
    if (code !== undefined) return;
    if (messages !== undefined)
      expectSame(untimed(messagesIn(result)), texts(messages), "the messages of the result");
    if (made !== undefined) this.#recordCreated(made);
    if (next === undefined) return;
    const after = next(result);
    // Every accepted commit raises the revision by one, and a call that changes nothing does not raise it.
    if (!isDeepStrictEqual(after, slot.session)) this.#recordChange(slot, after, expectation);
  }

  #recordChange(slot: Slot, after: NaiveSession | undefined, { rewrites }: Expectation): void {
    const { session: before, revision } = slot;
    slot.revision += 1;
    slot.session = after;
    // The next session under a deleted id counts as rewritten: a read of the deleted one cannot be merged with it.
    if (before === undefined) slot.rewrittenAt = revision > 0 ? slot.revision : 0;
    else if (after !== undefined && (rewrites ?? !isExtended(before, after)))
      slot.rewrittenAt = slot.revision;
  }

  #recordCreated({ id, session, revision, rewrittenAt }: NonNullable<Expectation["created"]>): void {
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
    this.#checkTimes(id, actual.messages);
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
      this.#checkTimes(id, messages);
      expectSame(untimed(messages), texts(one.messages), `the messages of archive "${one.id}"`);
    }
  }

  #checkTimes(id: string, messages: readonly Message[]): void {
    for (const message of messages) {
      const key = `${id} ${message.id}`;
      const known = this.#times.get(key) ?? message.createdAt;
      this.#times.set(key, known);
      expectSame(message.createdAt, known, `the time of message "${message.id}"`);
    }
  }

  #writer(): SessionStore {
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

/** Whether all messages are still there, unchanged and in order, and new ones come after them. */
function isExtended(before: NaiveSession, after: NaiveSession): boolean {
  const now = allOf(after);
  return allOf(before).every((message, index) => isDeepStrictEqual(message, now[index]));
}

/** Messages as JSON text without their times, with sorted keys. */
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
