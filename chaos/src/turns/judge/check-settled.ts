import type { Finding } from "../../judge/finding.js";
import { FINAL_READ } from "../../log/final-read-name.js";
import type { Conversation, StoredMessage } from "../turn-line.js";
import { answerIn } from "./answer-text.js";
import type { SortedTurns } from "./sort-turns.js";

/** After the last delivery of every update, each update is settled and no turn runs. */
export function checkSettled(log: SortedTurns): Finding[] {
  const settled = settledPrompts(log);
  return [...unsettledUpdates(log), ...log.conversations.flatMap((one) => unsettledIn(one, settled))];
}

function unsettledUpdates({ histories }: SortedTurns): Finding[] {
  return [...histories.values()]
    .filter(({ settled }) => !settled.some(({ delivered }) => delivered.process === FINAL_READ))
    .map(({ update, calls }) => {
      const last =
        calls.findLast(({ delivered }) => delivered.process === FINAL_READ)?.refused?.code ?? "no answer";
      return {
        kind: "unsettled",
        session: update.group,
        detail: `update ${update.number} is never settled: ${last}`,
      };
    });
}

function unsettledIn(
  { session, messages, running, harm }: Conversation,
  settled: ReadonlySet<number | undefined>,
): Finding[] {
  const open = messages.filter(
    ({ update, isLive, mark }) =>
      update !== undefined && isLive && mark === undefined && !settled.has(update),
  );
  return [
    ...harm.map((detail): Finding => ({ kind: "verification", session, detail })),
    ...(running === undefined ? [] : [finding(session, `turn ${running} never ends`)]),
    ...open.map(({ update }) =>
      finding(session, `the prompt of update ${update} is still live and has no outcome`),
    ),
  ];
}

/** Updates whose prompt has an outcome in some conversation. After a link, an older prompt without one may stay in another. */
function settledPrompts({ conversations }: SortedTurns): ReadonlySet<number | undefined> {
  const settled = (message: StoredMessage): readonly (number | undefined)[] => [
    ...(message.mark === undefined ? [] : [message.update]),
    answerIn(message)?.to,
  ];
  return new Set(conversations.flatMap(({ messages }) => messages.flatMap(settled)));
}

function finding(session: string, detail: string): Finding {
  return { kind: "unsettled", session, detail };
}
