import { createStore, SessionError, type SessionStore } from "@sessions/protocol/backend";
import { expect } from "vitest";
import { expectNotDurable } from "../../assertions/expect-not-durable.js";
import { behaviour } from "../../behaviour.js";
import type { Case, CaseContext, Section } from "../../case.js";
import type { WriteFailure } from "../../harness.js";
import { user } from "../../samples/messages.js";

/** Long enough that no engine can write it without new space. */
const LONG = "long ".repeat(20_000);

/** Changes that need space. Each raises the revision by one. */
const changes: Readonly<
  Record<string, (store: SessionStore, id: string, commitId: string) => Promise<unknown>>
> = {
  addMessage: (store, id, commitId) => store.addMessage(id, user(LONG, { id: "added" }), { commitId }),
  setChatHistory: (store, id, commitId) =>
    store.setChatHistory(id, [user(LONG, { id: "replaced" })], { commitId }),
  updateMessage: (store, id, commitId) => store.updateMessage(id, "m1", user(LONG), { commitId }),
  updateSessionMetadata: (store, id, commitId) =>
    store.updateSessionMetadata(id, { note: LONG }, { commitId }),
};

type Reported = "done" | "nothing changed" | "unknown";

/** What a call reports to its caller. */
async function reportedBy(call: Promise<unknown>): Promise<Reported> {
  try {
    await call;
    return "done";
  } catch (error) {
    if (!SessionError.is(error)) throw new Error("a foreign error", { cause: error });
    return SessionError.is(error, "OUTCOME_UNKNOWN", "DATA_LOST") ? "unknown" : "nothing changed";
  }
}

/** The revision of a session as a newly opened store reads it; 0 if there is no session. */
async function revisionNow({ open }: CaseContext, id: string): Promise<number> {
  const store = await open();
  return (await store.getSession(id, { messages: "none" }))?.revision ?? 0;
}

/** Expects that the number of applied calls agrees with what the calls have reported. */
function expectTrue(applied: number, answers: readonly Reported[]): void {
  const done = answers.filter((answer) => answer === "done").length;
  const unknown = answers.filter((answer) => answer === "unknown").length;
  expect(applied, `applied; the calls reported: ${answers.join(", ")}`).toBeGreaterThanOrEqual(done);
  expect(applied, `applied; the calls reported: ${answers.join(", ")}`).toBeLessThanOrEqual(done + unknown);
}

type Call = (store: SessionStore, commitId: string) => Promise<unknown>;

/** Makes concurrent calls on one session while writes fail, then retries each as a user would. */
async function failAndRetry(
  context: CaseContext,
  kind: WriteFailure,
  id: string,
  calls: readonly Call[],
): Promise<void> {
  const failing = await context.place.writeFailures?.[kind]?.();
  if (failing === undefined) throw new Error(`the place has no way to fail with "${kind}"`);
  const store = createStore(failing.backend);
  try {
    const before = await revisionNow(context, id);
    const recover = failing.fail();
    const answers = await Promise.all(calls.map((call, index) => reportedBy(call(store, `first-${index}`))));
    recover();
    expect(answers, "the engine failed").not.toEqual(calls.map(() => "done"));
    expectTrue((await revisionNow(context, id)) - before, answers);
    const healthy = await context.open();
    for (const [index, call] of calls.entries()) {
      if (answers[index] === "done") continue;
      await call(healthy, answers[index] === "unknown" ? `first-${index}` : `again-${index}`);
    }
    expect(await revisionNow(context, id), "every call was applied once").toBe(before + calls.length);
  } finally {
    await store.close();
  }
}

const failingCase = (
  name: string,
  kind: WriteFailure,
  run: (store: SessionStore, context: CaseContext) => Promise<void>,
): Case =>
  behaviour(name, ["G1", "G2", "G6"], run, {
    applies: (_store, place) => place.writeFailures?.[kind] !== undefined,
  });

const casesOf = (kind: WriteFailure): readonly Case[] => [
  ...Object.entries(changes).map(([method, change]) =>
    failingCase(
      `${method} reports truly whether a write that was ${kind} has been applied`,
      kind,
      async (store, context) => {
        await store.addMessage("s", user("1", { id: "m1" }));
        await failAndRetry(context, kind, "s", [(used, commitId) => change(used, "s", commitId)]);
      },
    ),
  ),
  failingCase(
    `the first call of a session reports truly whether a write that was ${kind} has been applied`,
    kind,
    async (_store, context) => {
      await failAndRetry(context, kind, "new", [
        (used, commitId) => used.addMessage("new", user(LONG, { id: "added" }), { commitId }),
      ]);
    },
  ),
  failingCase(
    `three concurrent calls report truly whether a write that was ${kind} has been applied`,
    kind,
    async (store, context) => {
      await store.addMessage("s", user("1", { id: "m1" }));
      const calls = ["a", "b", "c"].map(
        (id): Call =>
          (used, commitId) =>
            used.addMessage("s", user(LONG, { id }), { commitId }),
      );
      await failAndRetry(context, kind, "s", calls);
    },
  ),
];

/** A call reports that it was applied, that nothing has changed, or that its outcome is unknown; and that is true. */
export const reportedOutcomes: Section = {
  name: "reported outcomes are true",
  cases: [
    ...casesOf("refused"),
    ...casesOf("unconfirmed"),
    behaviour(
      "declared absent: a store whose place has neither `writeFailures` nor `interrupt` is not durable",
      ["G1"],
      async (store) => {
        expectNotDurable(store, "writeFailures");
      },
      {
        // A server that fails during a write is tested with `interrupt`.
        applies: (_store, place) => place.writeFailures === undefined && place.interrupt === undefined,
      },
    ),
  ],
};
