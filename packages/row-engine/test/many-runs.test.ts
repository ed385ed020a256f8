import {
  applyCommit,
  type MessageDraft,
  type Operation,
  type SessionState,
} from "@sessions/protocol/backend";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PlannedSession } from "./planned-session.js";

const STEPS = 120;

const user = (id: string, content = id): MessageDraft => ({ id, role: "user", content });
const draft = (n: number): MessageDraft => ({ ...user(`d${n}`, "begun"), status: "partial" });
const added = (...messages: MessageDraft[]): Operation => ({ op: "append", messages, onExisting: "fail" });
const extended = (n: number): Operation => ({ op: "extend", messageId: `d${n}`, text: " more" });
const completed = (n: number): Operation => ({
  op: "extend",
  messageId: `d${n}`,
  text: " END",
  status: "complete",
});
/** Every call splits a run of the first messages in three, so that some steps later runs are merged. */
const changed = (n: number): Operation => ({ op: "update", message: user(`m${2 * n}`, "changed") });

/** The commits of one step. `n` is its number. */
type Step = (n: number) => readonly (readonly Operation[])[];

const steps = fc.constantFrom<Step>(
  (n) => [[added(draft(n))], [changed(n)], [completed(n), added(user(`after${n}`))]],
  (n) => [
    [added(draft(n)), changed(n)],
    [extended(n)],
    [extended(n), added(user(`after${n}`))],
    [completed(n)],
  ],
  (n) => [
    [changed(n), added(draft(n))],
    [completed(n), { op: "snapshot", name: `s${n}` }, added(user(`after${n}`))],
  ],
  (n) => [
    [added(draft(n), user(`after${n}`))],
    [changed(n), completed(n)],
    [{ op: "remove", messageIds: [`after${n}`] }],
  ],
  (n) => [[changed(n)], [{ op: "restore", name: `s${n - 3}` }]],
);

test("a history in which runs are merged holds after each step what applyCommit makes of it", () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: STEPS, maxLength: STEPS }), (all) => {
      const session = new PlannedSession();
      let state: SessionState | undefined;
      let commits = 0;
      const commit = (ops: readonly Operation[]): void => {
        const request = { sessionId: "s", id: `c${commits}`, at: commits++, ops };
        const result = applyCommit(state, request);
        if (result.outcome.status === "rejected") return; // a snapshot that is not there
        state = result.state;
        session.commit(ops);
      };
      commit([added(...Array.from({ length: 2 * STEPS }, (_, n) => user(`m${n}`)))]);
      for (const [n, step] of all.entries()) {
        for (const ops of step(n)) commit(ops);
        if (state?.status !== "live") throw new Error("the session is gone");
        expect(session.messages.map(textOf)).toEqual(state.history.messages.slice().map(textOf));
      }
    }),
    { numRuns: 1 },
  );
});

function textOf({ id, content, status }: MessageDraft): string {
  return `${id} ${JSON.stringify(content)} ${status ?? "complete"}`;
}
