import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import type { Place } from "../harness.js";

/** Only a store that is not durable may be without this hook of its place. */
export function expectNotDurable(store: SessionStore, hook: keyof Place): void {
  expect(store.capabilities.durable, `the place of a durable store has \`${hook}\``).toMatchObject({
    supported: false,
  });
}
