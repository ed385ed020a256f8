import { setTimeout } from "node:timers/promises";
import { sharedClock } from "@sessions/conformance/multi-process";
import type { AgentEvent, RunnerTurn } from "@sessions/managed-agent";
import type { Message } from "@sessions/protocol";
import type { Random } from "run-tools";
import type { TurnLine } from "./turn-line.js";

/** What the model says that it has used for each answer. */
export const USAGE = { inputTokens: 3, outputTokens: 2 } as const;

/** How slow the model is, at most, before each of its words. */
const THINKS_MS = 25;
const FAILS = 0.04;
const CALLS_A_TOOL = 0.2;
const IS_DEAF = 0.1;

/** What a model that fails throws. */
export class ModelAway extends Error {
  constructor() {
    super("the model was away");
  }
}

/** What a scripted model is made of. */
export interface Script {
  /** The process that asks it. */
  readonly process: string;
  readonly random: Random;
  readonly write: (line: TurnLine) => void;
  /** Whether it fails now and then. */
  readonly fails: boolean;
}

/**
 * Answers an update with its number, with the numbers of all prompts that it sees unanswered, and with a name that no other
 * answer has: two attempts at an update can be told apart.
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
    const hears = random.chance(IS_DEAF) ? undefined : signal;
    this.#note("asked", update);
    if (random.chance(CALLS_A_TOOL)) yield* this.#callTool(by);
    yield { type: "text-delta", text: `to ${update} ` };
    await this.#think(hears);
    if (fails && random.chance(FAILS)) throw new ModelAway();
    yield { type: "text-delta", text: `sees ${unansweredIn(messages).join()} by ${by}` };
    await this.#think(hears);
    this.#note("spent", update);
    yield { type: "usage", usage: USAGE };
  }

  async *#callTool(by: string): AsyncGenerator<AgentEvent, void, undefined> {
    const call = { toolCallId: by, toolName: "clock" };
    yield { type: "text-delta", text: "looks at the clock" };
    yield { type: "tool-call", ...call, input: {} };
    await this.#think(undefined);
    yield { type: "tool-result", ...call, output: "noon" };
  }

  async #think(signal: AbortSignal | undefined): Promise<void> {
    await setTimeout(
      this.#script.random.between(0, THINKS_MS),
      undefined,
      signal === undefined ? {} : { signal },
    );
  }

  #note(type: "asked" | "spent", update: number): void {
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
