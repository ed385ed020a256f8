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

/** Reads the history, lets the model think, and writes all of it back: as bots did before there were turns. */
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

/** Knows what it has answered, in its own memory. */
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

/** Answers first, and looks away when it saves. */
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

describe("each check notices the broken bot that was written for it", () => {
  test.each([
    ["two workers, the same user, a slow model: both turns are there", loadAndReplace],
    ["the same update to two workers: one run, equal replies", remembersInMemory],
    ["/new in the middle of a turn: the old history does not come back", loadAndReplace],
    ["if saving fails, nobody is told that all is well", savesBlindly],
  ] as const)("%s", async (name, twin) => {
    await expect(checks[name]?.(memoryPlace(), twin)).rejects.toThrow();
  });

  test("every check has a broken bot that it notices", () => expect(Object.keys(checks)).toHaveLength(4));
});
