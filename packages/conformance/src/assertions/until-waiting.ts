import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "./eventually.js";
import { existingSession } from "./existing-session.js";

/** Resolves when this many callers wait for the running turn of session "s". */
export async function untilWaiting(store: SessionStore, waiting: number): Promise<void> {
  await eventually(async () => expect((await existingSession(store, "s")).turn).toMatchObject({ waiting }));
}
