import {
  type AgentInputItem,
  OpenAIResponsesCompactionSession,
  run,
  setTracingDisabled,
  user,
} from "@openai/agents";
import type { SessionStore } from "@sessions/protocol";
import { OtherProcess, sharedKinds, sharedPlace, storeKinds, withMethods } from "test-tools";
import { expect, test } from "vitest";
import { type OpenAISession, openaiSession } from "../src/index.js";
import { itemsOf } from "../src/items/item-message.js";
import { compactionApi } from "./compaction-api.js";
import { askingAgent } from "./scripted-agent.mjs";

setTracingDisabled(true);

const QUESTION = { type: "message", role: "user", content: [{ type: "input_text", text: "All of it." }] };
const COMPACTION = { type: "compaction", id: "cmp_1", encrypted_content: "secret" };
const COMPACTED = [QUESTION, COMPACTION];
const ITEMS_OF_A_RUN = 6;

/** The SDK's compacting session on one of ours. It compacts when the session has more than one run. */
function compacting(underlyingSession: OpenAISession): OpenAIResponsesCompactionSession {
  return new OpenAIResponsesCompactionSession({
    underlyingSession,
    model: "gpt-5",
    compactionMode: "input",
    shouldTriggerCompaction: ({ sessionItems }) => sessionItems.length > ITEMS_OF_A_RUN,
  });
}

async function ask(session: OpenAIResponsesCompactionSession, name: string): Promise<void> {
  await run(askingAgent(name), `question ${name}`, { session });
}

/** The items in the archives of a session, in order. */
async function archivedItems(store: SessionStore): Promise<readonly AgentInputItem[]> {
  const archives = await Promise.all(
    (await store.listArchives("s")).map(({ id }) => store.getArchive("s", id)),
  );
  return archives.flatMap((archive) => archive?.messages ?? []).flatMap(itemsOf);
}

test.each(storeKinds)(
  "a compaction replaces the items that were sent, and the next run continues from it: $name",
  async ({ open }) => {
    const store = await open();
    const underlying = openaiSession(store, "s", { onClear: "archive" });
    const bodies = await compactionApi(() => COMPACTED);
    const session = compacting(underlying);
    await ask(session, "one");
    expect(bodies).toEqual([]);
    const before = await underlying.getItems();
    await ask(session, "two");
    expect(bodies).toMatchObject([{ model: "gpt-5", input: { length: 2 * ITEMS_OF_A_RUN } }]);
    expect(await underlying.getItems()).toEqual(COMPACTED);
    const archived = await archivedItems(store);
    expect(archived).toHaveLength(2 * ITEMS_OF_A_RUN);
    expect(archived.slice(0, ITEMS_OF_A_RUN)).toEqual(before);
    // Another process continues: the model gets the compaction, then the new items.
    const agent = askingAgent("three");
    await run(agent, "question three", { session: openaiSession(store, "s") });
    expect(await underlying.getItems()).toHaveLength(COMPACTED.length + ITEMS_OF_A_RUN);
    expect((await underlying.getItems()).slice(0, 2)).toEqual(COMPACTED);
  },
);

test.each(storeKinds)("a compaction that fails leaves the history as it is: $name", async ({ open }) => {
  const store = await open();
  const underlying = openaiSession(store, "s");
  await compactionApi(() => Promise.reject(new Error("no model")));
  const session = compacting(underlying);
  await ask(session, "one");
  await expect(ask(session, "two")).rejects.toThrow("it broke");
  const items = await underlying.getItems();
  expect(items).toHaveLength(2 * ITEMS_OF_A_RUN);
  expect(items.at(-1)).toMatchObject({ id: "two-answer" });
  await compactionApi(() => COMPACTED);
  await ask(compacting(underlying), "three");
  expect(await underlying.getItems()).toEqual(COMPACTED);
});

test.each(storeKinds)(
  "when the store fails during a compaction, the history is restored: $name",
  async ({ open }) => {
    const store = await open();
    await compactionApi(() => COMPACTED);
    await ask(compacting(openaiSession(store, "s")), "one");
    await openaiSession(store, "s").addItems([user("more")]);
    const before = await openaiSession(store, "s").getItems();
    const session = compacting(openaiSession(failingOnce(store, "encrypted_content"), "s"));
    await expect(session.runCompaction({ force: true })).rejects.toThrow("The disk is broken.");
    expect(await openaiSession(store, "s").getItems()).toEqual(before);
  },
);

test.each(storeKinds)(
  "items that another process adds during a compaction are not lost: $name",
  async ({ open }) => {
    const store = await open();
    await compactionApi(async () => {
      await openaiSession(store, "s").addItems([user("from elsewhere")]);
      return COMPACTED;
    });
    const session = compacting(openaiSession(store, "s", { onClear: "archive" }));
    await ask(session, "one");
    await ask(session, "two");
    expect(await archivedItems(store)).toContainEqual(user("from elsewhere"));
    expect(await openaiSession(store, "s").getItems()).toEqual(COMPACTED);
  },
);

test.each(
  sharedKinds.flatMap(
    (kind) =>
      [
        { kind, onClear: "archive" },
        { kind, onClear: "remove" },
      ] as const,
  ),
)(
  "a process killed in the middle of a compaction leaves the items archived with onClear archive, and none otherwise: $kind, $onClear",
  async ({ kind, onClear }) => {
    const place = await sharedPlace(kind);
    const store = await place.open();
    await run(askingAgent("one"), "question one", { session: openaiSession(store, "s") });
    const before = await openaiSession(store, "s").getItems();
    await compactionApi(() => COMPACTED);
    const killed = new OtherProcess(new URL("./held-compaction.mjs", import.meta.url), {
      place: place.where,
      sessionId: "s",
      onClear,
    });
    await killed.until((line) => "cleared" in line);
    await killed.kill();
    expect(await openaiSession(store, "s").getItems()).toEqual([]);
    // Without the option, the SDK's clearing removes the items.
    expect(await archivedItems(store)).toEqual(onClear === "archive" ? before : []);
  },
);

/** A store that fails once, when a message with this text is added. */
function failingOnce(store: SessionStore, mark: string): SessionStore {
  let isBroken = true;
  const addMessage: SessionStore["addMessage"] = async (...call) => {
    if (!isBroken || !JSON.stringify(call).includes(mark)) return store.addMessage(...call);
    isBroken = false;
    throw new Error("The disk is broken.");
  };
  return withMethods(store, { addMessage });
}
