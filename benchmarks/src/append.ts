import { applyCommit, type CommitRequest, type SessionState } from "@sessions/protocol";
import { atMost, type Row } from "./row.js";

const APPENDS = 2000;

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

// Every append starts from the same state: it is immutable, so the session stays as long as it is.
function appendCost(state: SessionState): number {
  const requests = Array.from({ length: APPENDS }, (_, index) => request(`new-${index}`));
  const start = performance.now();
  for (const one of requests) applyCommit(state, one);
  return (performance.now() - start) / APPENDS;
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
