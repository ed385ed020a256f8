import { grouped } from "../../log/grouped.js";
import type { LogLine, UnexpectedError } from "../../log/log-line.js";
import type { Conversation, Delivered, Refused, Replied, TurnEvent } from "../turn-line.js";
import type { Update } from "../update.js";

/** One call with an update, and its result. Without a result, the process of the call was killed. */
export interface Call {
  readonly delivered: Delivered;
  readonly replied?: Replied;
  readonly refused?: Refused;
}

/** A call that returned how the update was settled. */
export type Settled = Call & { readonly replied: Replied };

/** All calls with one update. */
export interface History {
  readonly update: Update;
  readonly calls: readonly Call[];
  /** In the order in which they returned. */
  readonly settled: readonly Settled[];
  readonly firstAt: number;
}

/** The lines of a log of bots or agents, sorted by kind. */
export interface SortedTurns {
  readonly calls: readonly Call[];
  /** By the number of the update. */
  readonly histories: ReadonlyMap<number, History>;
  readonly events: readonly TurnEvent[];
  readonly conversations: readonly Conversation[];
  readonly unexpectedErrors: readonly UnexpectedError[];
}

export function sortTurns(lines: readonly LogLine[]): SortedTurns {
  const calls = callsOf(lines);
  return {
    calls,
    histories: historiesOf(calls),
    events: lines.filter(isEvent),
    conversations: lines.filter((line) => line.type === "conversation"),
    unexpectedErrors: lines.filter((line) => line.type === "unexpected-error"),
  };
}

function isEvent(line: LogLine): line is TurnEvent {
  return line.type === "begun" || line.type === "asked" || line.type === "spent";
}

function callsOf(lines: readonly LogLine[]): readonly Call[] {
  const calls = new Map<string, Call>();
  for (const line of lines)
    if (line.type === "delivered") calls.set(`${line.process}#${line.call}`, { delivered: line });
  for (const line of lines) {
    if (line.type !== "replied" && line.type !== "refused") continue;
    const name = `${line.process}#${line.call}`;
    const call = calls.get(name);
    if (call === undefined) throw new Error(`the log has an answer without a call: ${name}`);
    calls.set(name, { ...call, [line.type]: line });
  }
  return [...calls.values()];
}

function historiesOf(calls: readonly Call[]): ReadonlyMap<number, History> {
  const deliveries = calls.filter(({ delivered }) => delivered.via !== "link");
  const byNumber = grouped(deliveries, ({ delivered }) => delivered.update.number);
  return new Map([...byNumber].map(([number, own]) => [number, historyOf(own)]));
}

function historyOf(calls: readonly Call[]): History {
  const [first] = calls;
  if (first === undefined) throw new Error("an update without a delivery");
  const settled = calls.filter(isSettled).sort((a, b) => a.replied.at - b.replied.at);
  const firstAt = Math.min(...calls.map(({ delivered }) => delivered.at));
  return { update: first.delivered.update, calls, settled, firstAt };
}

/** A recovery that keeps or discards a turn settles nothing. */
function isSettled(call: Call): call is Settled {
  return call.replied !== undefined && call.replied.outcome !== "done";
}
