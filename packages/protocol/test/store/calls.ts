import fc from "fast-check";
import type { MutationResult } from "../../src/api/mutation.js";
import type { SessionStore } from "../../src/api/session-store.js";
import { append } from "../../src/operations/builders.js";

/** One call, made without awaiting earlier calls. */
export interface Call {
  readonly session: "s1" | "s2";
  readonly kind: "add" | "computed" | "replace" | "taken" | "conflict" | "noop";
}

export const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc.record({
    session: fc.constantFrom("s1" as const, "s1" as const, "s2" as const),
    kind: fc.constantFrom<Call["kind"]>(
      "add",
      "add",
      "add",
      "computed",
      "replace",
      "taken",
      "conflict",
      "noop",
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Makes the call. A message that it adds is named after its number. */
export function make(store: SessionStore, { session, kind }: Call, number: number): Promise<MutationResult> {
  const message = { id: `m${number}`, role: "user", content: `${number}` };
  switch (kind) {
    case "add":
      return store.addMessage(session, message);
    case "computed":
      return store.updateSession(session, () => append(message));
    case "replace":
      // Keeps the existing messages and adds its own: no message of a concurrent call may be lost.
      return store.updateSession(session, (before) => [
        { op: "splice", keep: 0, messages: [...(before?.messages ?? []), message] },
      ]);
    case "taken":
      return store.addMessage(session, [message, { id: "taken", role: "user", content: `not ${number}` }]);
    case "conflict":
      return store.addMessage(session, message, { ifRevision: 1_000_000 });
    case "noop":
      return store.updateSessionMetadata(session, { settled: true });
  }
}

/** Whether a call adds a message if it succeeds. */
export const adds = (call: Call): boolean =>
  call.kind === "add" || call.kind === "computed" || call.kind === "replace";
