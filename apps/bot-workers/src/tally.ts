import type { Message } from "@sessions/json-file";
import type { PlannedUpdate } from "./plan.js";
import type { Delivered } from "./platform.js";

/** The outcome of the updates. */
export interface Tally {
  readonly sent: number;
  readonly answered: number;
  /** Updates without an answer, or with an answer that is not stored. */
  readonly lost: number;
  /** Updates that are stored more than once, or that have two answers. */
  readonly doubled: number;
  /** Stored answers that were cut off and never completed. */
  readonly unfinished: number;
  /** The first few lost or doubled updates. */
  readonly examples: readonly string[];
}

const MOST_EXAMPLES = 10;

/** Compares every update with the replies that the platform got and with the stored messages. */
export function tallyUp(
  updates: readonly PlannedUpdate[],
  { replies }: Pick<Delivered, "replies">,
  stored: readonly Message[],
): Tally {
  const questions = countBy(stored.filter(({ role }) => role === "user").map(textOf));
  const whole = stored.filter(({ role, status }) => role === "assistant" && status === undefined);
  const answers = new Map<string, string[]>();
  for (const text of whole.map(textOf)) answers.set(asked(text), [...(answers.get(asked(text)) ?? []), text]);
  const lost: string[] = [];
  const doubled: string[] = [];
  for (const { id, text } of updates) {
    const told = [...(replies.get(id) ?? [])];
    const held = answers.get(text) ?? [];
    const isStored = (questions.get(text) ?? 0) > 0 && told.every((reply) => held.includes(reply));
    if (told.length === 0 || !isStored) lost.push(text);
    if ((questions.get(text) ?? 0) > 1 || held.length > 1 || told.length > 1) doubled.push(text);
  }
  return {
    sent: updates.length,
    answered: updates.filter(({ id }) => replies.has(id)).length,
    lost: lost.length,
    doubled: doubled.length,
    unfinished: stored.filter(({ status }) => status !== undefined).length,
    examples: [...lost.map((text) => `lost: ${text}`), ...doubled.map((text) => `doubled: ${text}`)].slice(
      0,
      MOST_EXAMPLES,
    ),
  };
}

/** The question that an answer repeats. */
function asked(answer: string): string {
  return answer.replace(/^re: /, "").replace(/ #[^#]*$/, "");
}

function textOf({ content }: Message): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

function countBy(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
