import { applyCommit, type CommitRequest, type SessionState } from "@sessions/protocol/backend";
import { alternating } from "../alternating.js";
import { atMost } from "../bar.js";
import type { Measurement } from "../measurement.js";

const CHAIN = 100;
const CHAINS = 10;

/** The cost of one append to a session of `length` messages ÷ that to a short one, in the same run. */
export function applyCommitGrowth(length: number): Measurement {
  return {
    work: `applyCommit: append at ${length.toLocaleString("en").replaceAll(",", " ")} messages ÷ at 100`,
    unit: "×",
    bar: atMost(1.3),
    async measure({ runs }) {
      const [long, short] = [sessionOf(length), sessionOf(100)];
      const values = await alternating(
        runs,
        async () => appendCost(long),
        async () => appendCost(short),
      );
      return { values };
    },
  };
}

function sessionOf(length: number): SessionState {
  let state: SessionState | undefined;
  for (let index = 0; index < length; index++) state = applyCommit(state, request(`m${index}`)).state;
  if (state === undefined) throw new Error("no session was made");
  return state;
}

// One append after the other, as sessions grow; always from the same state, so that the session stays about as long.
function appendCost(state: SessionState): number {
  const requests = Array.from({ length: CHAIN }, (_, index) => request(`new-${index}`));
  const start = performance.now();
  for (let chain = 0; chain < CHAINS; chain++) {
    let grown: SessionState | undefined = state;
    for (const one of requests) grown = applyCommit(grown, one).state;
  }
  return (performance.now() - start) / (CHAINS * CHAIN);
}

function request(id: string): CommitRequest {
  const message = { id, role: "user", content: `what I say is ${id}` };
  return {
    sessionId: "s",
    id: `commit-${id}`,
    at: 1,
    ops: [{ op: "append", messages: [message], onExisting: "fail" }],
  };
}
