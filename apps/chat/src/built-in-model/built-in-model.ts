import { setTimeout as pause } from "node:timers/promises";
import { estimateTokens, type Json, type Message, textOf } from "@sessions/json-file";
import type { AgentEvent, Runner, RunnerTurn } from "@sessions/managed-agent";
import { DraftState } from "../tools/draft-state.js";
import type { Tool } from "../tools/tool.js";
import { type ToolOutcome, useTool } from "../tools/use-tool.js";
import { answerTo } from "./answer-to.js";
import { words } from "./words.js";

/** Options of the built-in model. */
export interface BuiltInModelOptions {
  readonly tools: readonly Tool[];
  /** The delay between two words. */
  readonly delayMs: number;
}

/** A runner without a language model. It follows rules, streams, uses tools and reports usage. */
export function builtInModel({ tools, delayMs }: BuiltInModelOptions): Runner {
  return (turn) => new Speech(turn, tools, delayMs).events();
}

/** Yields the events of one answer. */
class Speech {
  readonly #turn: RunnerTurn;
  readonly #tools: readonly Tool[];
  readonly #delayMs: number;
  readonly #state: DraftState;
  #calls = 0;
  #said = "";

  constructor(turn: RunnerTurn, tools: readonly Tool[], delayMs: number) {
    this.#turn = turn;
    this.#tools = tools;
    this.#delayMs = delayMs;
    this.#state = new DraftState(turn);
  }

  async *events(): AsyncIterable<AgentEvent> {
    const answer = answerTo(questionOf(this.#turn));
    let next = answer.next();
    while (next.done !== true) {
      const step = next.value;
      next = answer.next("say" in step ? yield* this.#say(step.say) : yield* this.#use(step.use, step.input));
    }
    yield { type: "usage", usage: this.#usage() };
  }

  async *#say(text: string): AsyncGenerator<AgentEvent, undefined> {
    for (const word of words(text)) {
      if (this.#delayMs > 0) await pause(this.#delayMs, undefined, { signal: this.#turn.signal });
      this.#turn.signal.throwIfAborted();
      this.#said += word;
      yield { type: "text-delta", text: word };
    }
    return undefined;
  }

  async *#use(toolName: string, input: Json): AsyncGenerator<AgentEvent, ToolOutcome> {
    this.#calls += 1;
    const toolCallId = `${this.#turn.turnId}:call-${this.#calls}`;
    yield { type: "tool-call", toolCallId, toolName, input };
    const { output, isError } = this.#outcome(toolName, input);
    yield { type: "tool-result", toolCallId, toolName, output, ...(isError ? { isError } : {}) };
    const patch = this.#state.takeChanges();
    if (patch !== undefined) yield { type: "state", patch };
    return { output, isError };
  }

  #outcome(toolName: string, input: Json): ToolOutcome {
    const allowed = this.#turn.config.tools?.includes(toolName) ?? true;
    const tool = this.#tools.find(({ name }) => name === toolName);
    if (tool === undefined || !allowed) return { output: `I may not use ${toolName} here`, isError: true };
    return useTool(tool, input, this.#state);
  }

  /** Estimates the usage, because there are no tokens. */
  #usage(): { readonly inputTokens: number; readonly outputTokens: number } {
    const inputTokens = this.#turn.messages.reduce((sum, message) => sum + estimateTokens(message), 0);
    const answer: Message = { id: "answer", role: "assistant", content: this.#said, createdAt: 0 };
    return { inputTokens, outputTokens: estimateTokens(answer) };
  }
}

function questionOf({ messages, context }: RunnerTurn) {
  const prompt = messages.findLast(({ role }) => role === "user");
  const text = prompt === undefined ? "" : textOf(prompt).trim();
  return { text, messages, omitted: context.omitted.messages };
}
