import { memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import { createChatHandlers } from "../src/create-chat-handlers.js";
import { loadChat, loadMessages } from "../src/load-chat.js";
import { aiSdkRunner } from "../src/runner/ai-sdk-runner.js";
import { saveMessages } from "../src/save-messages.js";

type Loose = (...args: unknown[]) => unknown;
const INVALID = expect.objectContaining({ code: "INVALID_ARGUMENT" });
const NO_OPTIONS = [null, 5, "x", [], new Map(), { noSuchOption: 1 }];

test("createChatHandlers refuses options that it does not know", async () => {
  const store = await memoryPlace().open();
  const create = createChatHandlers as Loose;
  for (const options of NO_OPTIONS) expect(() => create(options)).toThrow(INVALID);
  expect(() => create({ store: {}, respond: () => [] })).toThrow(INVALID);
  expect(() => create({ store, respnd: () => [] })).toThrow('Did you mean "respond"?');
  expect(() =>
    create({ store, authorize: "public", respond: () => [], checkpoint: { everyMS_: 1 } }),
  ).toThrow('"everyMs"?');
});

test("aiSdkRunner needs a model", () => {
  for (const options of [null, 5, {}, []]) expect(() => (aiSdkRunner as Loose)(options)).toThrow(INVALID);
});

test.each<[string, Loose]>([
  ["loadChat", (...call) => (loadChat as Loose)(...call)],
  ["loadMessages", (...call) => (loadMessages as Loose)(...call)],
  ["saveMessages", (of, id, options) => (saveMessages as Loose)(of, id, [], options)],
])("%s rejects anything but a store and an options object", async (_, call) => {
  const store = await memoryPlace().open();
  for (const options of NO_OPTIONS) await expect(call(store, "s", options)).rejects.toEqual(INVALID);
  for (const given of [null, undefined, 5, {}]) await expect(call(given, "s", {})).rejects.toEqual(INVALID);
});

test("saveMessages rejects anything but a list of messages", async () => {
  const store = await memoryPlace().open();
  for (const messages of [null, 5, {}, [null], new Array(1e9)])
    await expect((saveMessages as Loose)(store, "s", messages)).rejects.toEqual(
      expect.objectContaining({ code: expect.stringMatching(/INVALID_ARGUMENT|TOO_LARGE/) }),
    );
});
