import { setTimeout } from "node:timers/promises";
import { sharedClock } from "@sessions/conformance/multi-process";
import type { AgentEvent, RunnerTurn } from "@sessions/managed-agent";
import type { Message } from "@sessions/protocol";
import type { Random } from "run-tools";
import type { TurnLine } from "./turn-line.js";

/** The usage that the model reports for each answer. */
export const USAGE = { inputTokens: 3, outputTokens: 2 } as const;

const MAX_DELAY_MS = 25;
const FAILURE_CHANCE = 0.04;
const TOOL_CALL_CHANCE = 0.2;
const IGNORES_ABORT_CHANCE = 0.1;

/** What a model that fails throws. */
export class ModelUnavailable extends Error {
  constructor() {
    super("the model is unavailable");
  }
}

/** What a scripted model works with. */
export interface Script {
  /** The process that asks it. */
  readonly process: string;
  readonly random: Random;
  readonly write: (line: TurnLine) => void;
  /** Whether some of its answers fail. */
  readonly fails: boolean;
}

/**
 * Answers an update with its number, the numbers of all prompts that are unanswered in its context, and a name that is unique
 * to the answer, so that two attempts at an update differ.
 */
export class ScriptedModel {
  readonly #script: Script;
  #asked = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  async *answer(
    update: number,
    { messages, signal }: Pick<RunnerTurn, "messages" | "signal">,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const { process, random, fails } = this.#script;
    const by = `${process}.${++this.#asked}`;
    const abort = random.chance(IGNORES_ABORT_CHANCE) ? undefined : signal;
    this.#log("asked", update);
    if (random.chance(TOOL_CALL_CHANCE)) yield* this.#callTool(by);
    yield { type: "text-delta", text: `to ${update} ` };
    await this.#delay(abort);
    if (fails && random.chance(FAILURE_CHANCE)) throw new ModelUnavailable();
    yield { type: "text-delta", text: `sees ${unansweredIn(messages).join()} by ${by}` };
    await this.#delay(abort);
    this.#log("spent", update);
    yield { type: "usage", usage: USAGE };
  }

  async *#callTool(by: string): AsyncGenerator<AgentEvent, void, undefined> {
    const call = { toolCallId: by, toolName: "clock" };
    yield { type: "text-delta", text: "looks at the clock" };
    yield { type: "tool-call", ...call, input: {} };
    await this.#delay(undefined);
    yield { type: "tool-result", ...call, output: "noon" };
  }

  async #delay(signal: AbortSignal | undefined): Promise<void> {
    await setTimeout(
      this.#script.random.between(0, MAX_DELAY_MS),
      undefined,
      signal === undefined ? {} : { signal },
    );
  }

  #log(type: "asked" | "spent", update: number): void {
    const { process, write } = this.#script;
    write({ type, at: sharedClock(), process, update });
  }
}

/** The prompts without an outcome. */
function unansweredIn(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ metadata }) => {
    const update = metadata?.["update"];
    return typeof update === "number" && metadata?.["bot.settled"] === undefined ? [update] : [];
  });
}
