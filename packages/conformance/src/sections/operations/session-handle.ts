import { SessionError, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { everyHandleMethod } from "../../samples/every-handle-method.js";
import { everyMethod, type IoMethod } from "../../samples/every-method.js";
import { numbered } from "../../samples/messages.js";

const methods: readonly (keyof typeof everyHandleMethod)[] = namesOf(everyHandleMethod);

export const sessionHandle: Section = {
  name: "session",
  covers: ["session"],
  cases: [
    behaviour("creating a handle creates no session", ["G17"], async (store) => {
      const session = store.session("s");
      expect(session.id).toBe("s");
      expect(await store.sessionExists("s")).toBe(false);
    }),
    behaviour("two handles of one id use the same session", ["G3"], async (store) => {
      const { messages } = await store.session("s").addMessage(numbered(2));
      expect(await store.session("s").getChatHistory()).toEqual(messages);
    }),
    behaviour("the methods of a handle work when they are called without it", [], async (store) => {
      const { addMessage, getChatHistory } = store.session("s");
      await addMessage(numbered(1));
      expect(await getChatHistory()).toMatchObject([{ id: "m1" }]);
    }),
    behaviour("a handle with an invalid id refuses its calls", ["G10"], async (store) => {
      await expectError(async () => store.session("").getSession(), "INVALID_ARGUMENT");
    }),
    ...methods.map((method) =>
      behaviour(
        `${method} has the same effect through a handle as on the store`,
        [],
        async (store, { openElsewhere }) => {
          const elsewhere = await openElsewhere();
          for (const one of [store, elsewhere]) await prepare(one, method);
          const direct = await resultOf(() => everyMethod[method](store));
          const handled = await resultOf(() => everyHandleMethod[method](elsewhere.session("s")));
          expect(handled).toBe(direct);
          expect(await stateOf(elsewhere)).toBe(await stateOf(store));
        },
      ),
    ),
  ],
};

/** Creates what the calls need: messages and a snapshot. */
async function prepare(store: SessionStore, method: IoMethod): Promise<void> {
  if (method === "createSession") return;
  await store.addMessage("s", numbered(3));
  await store.createSnapshot("s", "mark");
}

async function resultOf(call: () => PromiseLike<unknown>): Promise<string> {
  try {
    return shapeOf(await call());
  } catch (error) {
    return SessionError.is(error) ? error.code : "foreign error";
  }
}

async function stateOf(store: SessionStore): Promise<string> {
  const session = await store.getSession("s");
  return shapeOf(
    session === undefined ? (await store.listSessions()).items.length : { ...session, turn: undefined },
  );
}

/** A result as text, without generated ids and times. */
function shapeOf(result: unknown): string {
  const varying = new Set(["incarnation", "sessionId", "turnId", "token", "name", "id", "at", "horizon"]);
  const blank = (key: string, value: unknown): unknown => {
    if (varying.has(key) || /At$|cursor/.test(key)) return "…";
    return typeof value === "string" && value.length > 30 ? "…" : value;
  };
  return JSON.stringify(result, blank) ?? "nothing";
}

function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(record).filter((name): name is Name => name in record);
}
