import { expect, test } from "vitest";
import { createStore } from "../../src/backend.js";
import { MapBackend } from "./map-backend.js";

test("a caller that adds to the context of an absent session does not change the next one", async () => {
  const store = createStore(new MapBackend());
  const first = await store.getContext("absent", { maxTokens: 100 });
  first.messages.push({ id: "m1", role: "system", content: "Be brief.", createdAt: 0 });
  first.omitted.archiveIds.push("a1");
  expect(await store.getContext("absent", { maxTokens: 100 })).toEqual({
    messages: [],
    tokens: 0,
    omitted: { archiveIds: [], messages: 0 },
  });
});
