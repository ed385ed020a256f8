import { applyCommit, type CommitRequest, type SessionState } from "@sessions/protocol";
import { atMost, type Row } from "./row.js";

const CHAIN = 100;
const CHAINS = 40;

/** The cost of one append to a session that holds `length` messages, in the same run as that to a short one. */
export function appendRows(runs: number): readonly Row[] {
  const short = sessionOf(100);
  const long = sessionOf(10_000);
  const longest = sessionOf(100_000);
  const ratios = (state: SessionState): number[] =>
    Array.from({ length: runs }, () => {
      const base = appendCost(short); // side by side, so that a noisy machine disturbs both
      return appendCost(state) / base;
    });
  ratios(long); // warm-up
  return [
    atMost("applyCommit: append at 10 000 messages ÷ at 100", ratios(long), 1.3),
    atMost("applyCommit: append at 100 000 messages ÷ at 100", ratios(longest), 1.3),
  ];
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
