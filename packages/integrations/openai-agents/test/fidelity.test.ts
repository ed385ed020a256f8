import { type AgentInputItem, protocol } from "@openai/agents";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { openaiSession } from "../src/index.js";
import { corpus, itemTypes } from "./corpus.js";

test("the corpus has every item type of the installed SDK, and bytes", () => {
  const items = corpus();
  expect(new Set(items.map((item) => item.type ?? "message"))).toEqual(itemTypes());
  // Of 0.20.0. A version that has others is covered by itself; this says that it is time to look.
  expect([protocol.ModelItem.options.length, itemTypes().size, items.length]).toEqual([19, 17, 90]);
  const actions = items.flatMap((item) =>
    item.type === "computer_call" && item.action ? [item.action] : [],
  );
  expect(new Set(actions.map(({ type }) => type)).size).toBe(9);
  expect(items.some(hasBytes)).toBe(true);
});

test.each(storeKinds)("every item is read as it was written: $name", async ({ open }) => {
  const store = await open();
  const session = openaiSession(store, "s");
  const items = [...corpus(), ...unknownItems()];
  await session.addItems(items);
  const stored = await session.getItems();
  expect(stored).toStrictEqual(items);
  // The caller may change the items that it gets.
  for (const item of stored) Reflect.set(item, "providerData", { changed: true });
  expect(await session.getItems()).toStrictEqual(items);
  expect(await session.popItem()).toStrictEqual(items.at(-1));

  const transaction = { type: "append_items", items } as const;
  const again = openaiSession(store, "t");
  await again.applyHistoryTransaction({ operationId: "op", transaction });
  await again.applyHistoryTransaction({ operationId: "op", transaction });
  const replacement = items.toReversed();
  const turned = { type: "replace_suffix", expectedSuffix: items, replacement } as const;
  await again.applyHistoryTransaction({ operationId: "op2", transaction: turned });
  expect(await again.getItems()).toStrictEqual(replacement);
});

test("an item that is not JSON is refused with its path, and nothing is stored", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  for (const offender of [new Date(0), new Map([[1, 2]]), Number.NaN, 1n, cyclic, () => undefined]) {
    // Beside bytes, which are no JSON either and are kept, it is refused all the same.
    for (const beside of [{}, { bytes: new Uint8Array([1]) }]) {
      const item: AgentInputItem = { type: "unknown", providerData: { offender, ...beside } };
      await expect(openaiSession(store, "s").addItems([item])).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        path: expect.stringContaining("offender"),
      });
    }
  }
  expect(await store.sessionExists("s")).toBe(false);
});

/** Items of versions to come. */
function unknownItems(): readonly AgentInputItem[] {
  const text =
    '[{"type":"telepathy_call","callId":"t1","__proto__":{"kept":true}},{"role":"oracle","content":[]}]';
  return JSON.parse(text);
}

function hasBytes(value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasBytes);
}
