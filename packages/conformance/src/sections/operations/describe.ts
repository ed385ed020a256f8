import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { user } from "../../samples/messages.js";

export const describeStore: Section = {
  name: "describe",
  covers: ["describe", "capabilities"],
  cases: [
    behaviour(
      "a description has the store's name, location, durability and format",
      ["G1", "G20"],
      async (store) => {
        const description = await store.describe();
        expect(description).toMatchObject({
          store: expect.any(String),
          location: expect.any(String),
          healthy: true,
        });
        expect(description.durability.detail).toMatch(/\w+ \w+/);
        expect(description.format.version).toBeLessThanOrEqual(description.format.supported);
        expect(description.warnings).toBeInstanceOf(Array);
      },
    ),
    behaviour("the description and the store declare the same capabilities", [], async (store) => {
      expect((await store.describe()).capabilities).toEqual(store.capabilities);
    }),
    behaviour("every unsupported capability has a reason", [], async (store) => {
      const { durable, multiProcess, search } = store.capabilities;
      for (const capability of [durable, multiProcess, search]) {
        if (!capability.supported) expect(capability.reason).toMatch(/\w+ \w+/);
      }
    }),
    behaviour(
      "a durable store declares what its commits survive",
      ["G1"],
      async (store) => {
        expect((await store.describe()).durability.survives).not.toBe("nothing");
      },
      { applies: (store) => store.capabilities.durable.supported },
    ),
    behaviour(
      "declared absent: a store that is not durable declares that nothing survives",
      ["G1"],
      async (store) => {
        expect((await store.describe()).durability.survives).toBe("nothing");
      },
      { applies: (store) => !store.capabilities.durable.supported },
    ),
    behaviour(
      "acknowledged messages are there when the data is opened again",
      ["G1"],
      async (store, { open }) => {
        const { messages } = await store.addMessage("s", user("kept"));
        await store.close();
        expect(await (await open()).getChatHistory("s")).toEqual(messages);
      },
    ),
  ],
};
