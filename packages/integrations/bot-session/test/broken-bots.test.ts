import type { SessionStore } from "@sessions/protocol";
import { append } from "@sessions/protocol";
import { memoryPlace, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { createBotSession } from "../src/index.js";
import { type Answering, checks, type MakeBot, type Model, textsOf } from "./checks.js";

const made: MakeBot = (store, model) =>
  createBotSession({
    store,
    platform: "p",
    scope: "user",
    respond: (turn) => model(textsOf(turn), turn.update),
  });

describe.each(storeKinds)("a bot session on $name", ({ place }) => {
  test.each(Object.keys(checks))("%s", async (name) => {
    await checks[name]?.(await place(), made);
  });
});

/** Reads the history, waits for the model, and writes the whole history back, without a turn. */
function loadAndReplace(store: SessionStore, model: Model): Answering {
  return {
    async handle(update) {
      if (update.text === "/new") {
        await store.clearSession("s");
        return { reply: "" };
      }
      const history = (await store.sessionExists("s")) ? await store.getChatHistory("s") : [];
      const asked = [...history, { role: "user", content: update.text }];
      const reply = await model(
        asked.map(({ content }) => String(content)),
        update,
      );
      await store.setChatHistory("s", [...asked, { role: "assistant", content: reply }]);
      return { reply };
    },
  };
}

/** Remembers answered updates only in the memory of its process. */
function remembersInMemory(store: SessionStore, model: Model): Answering {
  const replies = new Map<unknown, string>();
  return {
    async handle(update) {
      const known = replies.get(update.id);
      if (known !== undefined) return { reply: known };
      const reply = await model([], update);
      await store.runTurn("s", { waitMs: 10_000 }, () => append({ role: "assistant", content: reply }));
      replies.set(update.id, reply);
      return { reply };
    },
  };
}

/** Replies first, and ignores errors when it saves. */
function savesBlindly(store: SessionStore, model: Model): Answering {
  return {
    async handle(update) {
      const reply = await model([], update);
      const saving = store.runTurn("s", {}, () => append({ role: "assistant", content: reply }));
      await Promise.allSettled([saving]);
      return { reply };
    },
  };
}

describe("broken bots", () => {
  test.each([
    ["both turns are stored when two workers answer one user with a slow model", loadAndReplace],
    ["two workers that get the same update run it once and return equal replies", remembersInMemory],
    ["/new during a turn keeps the old history out of the new conversation", loadAndReplace],
    ["a reply that could not be saved is not returned", savesBlindly],
  ] as const)("a broken bot fails the check: %s", async (name, brokenBot) => {
    await expect(checks[name]?.(memoryPlace(), brokenBot)).rejects.toThrow();
  });

  test("every check has a broken bot", () => expect(Object.keys(checks)).toHaveLength(4));
});
