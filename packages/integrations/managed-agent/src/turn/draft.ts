import {
  append,
  extend,
  type Json,
  type JsonObject,
  jsonify,
  type MessageInput,
  type OperationInput,
  set,
  toolLinksOf,
} from "@sessions/protocol";
import type { AgentEvent, MessageEvent, ToolCall, ToolResult } from "../agent-event.js";
import { invalid, isRecord, requireName } from "../argument.js";
import { statePatch } from "../session/agent-record.js";
import { missingAnswer, toolMessage, toolNameIn } from "../session/tool-message.js";
import { ofTurn } from "../session/turn-marks.js";
import { Growth } from "./growth.js";
import { UsageSum } from "./usage-sum.js";

const RESERVED: readonly string[] = ["turnId", "prompt", "usage"];

/**
 * The answer of a turn while it is written: takes events, and gives operations for what has come since the last time.
 *
 * An assistant message is open until its last call is answered. What comes while calls are open joins it, so that
 * nothing ever stands between a call and its result; after that, more text begins a new message.
 */
export class Draft {
  readonly #turnId: string;
  readonly #newId: () => string;
  readonly #usage = new UsageSum();
  readonly #messageIds: string[] = [];
  /** Calls that wait for their result, and the names of their tools. */
  readonly #open = new Map<string, string>();
  #ops: OperationInput[] = [];
  #growth: Growth | undefined;
  #lastAnswerId: string | undefined;
  #state: JsonObject = {};
  #pendingChars = 0;

  constructor(turnId: string, newId: () => string) {
    this.#turnId = turnId;
    this.#newId = newId;
  }

  /** How much text no operation has told yet. */
  get pendingChars(): number {
    return this.#pendingChars;
  }

  /** The messages of the answer so far, in order. */
  get messageIds(): readonly string[] {
    return this.#messageIds;
  }

  /** What the turn has used so far. */
  get counters(): Readonly<Record<string, number>> {
    return this.#usage.counters;
  }

  /** Takes an event. INVALID_ARGUMENT if no acceptable history could be made of it. */
  add(event: AgentEvent): void {
    if (!isRecord(event)) throw invalid("event", "must be an object.");
    switch (event.type) {
      case "text-delta":
        this.#addText("text", event.text);
        break;
      case "reasoning-delta":
        this.#addText("reasoning", event.text);
        break;
      case "tool-call":
        this.#addCall(event);
        break;
      case "tool-result":
        this.#addResult(event);
        break;
      case "usage":
        this.#usage.add(event.usage);
        break;
      case "state":
        this.#addState(event.patch);
        break;
      case "message":
        this.#addMessage(event);
        break;
      case "metadata":
        this.#addMetadata(event.metadata);
        break;
      default:
        throw invalid("event.type", "is not known.");
    }
  }

  /** What has come since the last time. */
  take(): OperationInput[] {
    return this.#taken(this.#growth?.take() ?? []);
  }

  /** The rest, of an answer that is whole: it is finished, and says what the turn has used. */
  finish(): OperationInput[] {
    return this.#rest("complete");
  }

  /** The rest, of an answer that will stay as it is. */
  abandon(): OperationInput[] {
    return this.#rest();
  }

  /** What the turn wants to change in the agent's state. */
  stateChange(): OperationInput[] {
    return Object.keys(this.#state).length === 0 ? [] : [set({ metadata: statePatch(this.#state) })];
  }

  #addText(kind: "text" | "reasoning", text: unknown): void {
    if (typeof text !== "string") throw invalid("event.text", "must be a string.");
    if (text === "") return;
    this.#growing().addText(kind, text);
    this.#pendingChars += text.length;
  }

  #addCall({ toolCallId, toolName, input }: ToolCall): void {
    requireName(toolCallId, "event.toolCallId");
    requireName(toolName, "event.toolName");
    if (this.#open.has(toolCallId))
      throw invalid("event.toolCallId", `is that of a call without a result yet: "${toolCallId}".`);
    this.#growing().addPart({ type: "tool-call", toolCallId, toolName, input: jsonify(input) });
    this.#open.set(toolCallId, toolName);
  }

  #addResult({ toolCallId, toolName, output, isError }: ToolResult): void {
    if (!this.#open.has(toolCallId))
      throw invalid("event.toolCallId", `answers no open call of this turn: "${toolCallId}".`);
    const json: Json = jsonify(output);
    const answer = toolMessage({ toolCallId, toolName, output: json, isError: isError === true });
    this.#answered(answer, [toolCallId]);
  }

  /** A whole message: calls that it makes are open from then on, calls that it answers are not. */
  #addMessage({ message }: MessageEvent): void {
    if (!isRecord(message)) throw invalid("event.message", "must be an object.");
    const { calls, results } = toolLinksOf(message);
    if (results.some((id) => this.#open.has(id))) this.#answered(message, results);
    else this.#addOwn(message);
    for (const call of calls.filter((one) => !results.includes(one)))
      this.#open.set(call, toolNameIn(message, call));
  }

  #addOwn(message: MessageInput): void {
    if (this.#open.size > 0)
      throw invalid("event.message", "would stand between a tool call and its result.");
    this.#close();
    const id = this.#push(message);
    if (message.role === "assistant") this.#lastAnswerId = id;
  }

  #addState(patch: unknown): void {
    if (!isRecord(patch)) throw invalid("event.patch", "must be an object.");
    const entries = Object.entries(patch).map(([key, value]) => [key, jsonify(value)] as const);
    this.#state = { ...this.#state, ...Object.fromEntries(entries) };
  }

  #addMetadata(metadata: unknown): void {
    if (!isRecord(metadata)) throw invalid("event.metadata", "must be an object.");
    // By these a turn knows its messages again.
    const taken = RESERVED.find((key) => Object.hasOwn(metadata, key));
    if (taken !== undefined) throw invalid(`event.metadata.${taken}`, "is written by the agent itself.");
    const entries = Object.entries(metadata).map(([key, value]) => [key, jsonify(value)] as const);
    this.#growing().addMetadata(Object.fromEntries(entries));
  }

  #answered(answer: MessageInput, callIds: readonly string[]): void {
    for (const id of callIds) this.#open.delete(id);
    if (this.#open.size === 0) this.#close();
    else this.#ops.push(...(this.#growth?.take() ?? []));
    this.#push(answer);
  }

  #growing(): Growth {
    if (this.#growth !== undefined) return this.#growth;
    if (this.#open.size > 0) throw invalid("event", "would stand between a tool call and its result.");
    const id = this.#newId();
    this.#messageIds.push(id);
    this.#lastAnswerId = id;
    this.#growth = new Growth(id, this.#turnId);
    return this.#growth;
  }

  #close(): void {
    if (this.#growth !== undefined) this.#ops.push(...this.#growth.take("complete"));
    this.#growth = undefined;
  }

  #push(message: MessageInput): string {
    const id = message.id ?? this.#newId();
    this.#messageIds.push(id);
    this.#ops.push(append(ofTurn(this.#turnId, { ...message, id })));
    return id;
  }

  #taken(more: readonly OperationInput[]): OperationInput[] {
    const ops = [...this.#ops, ...more];
    this.#ops = [];
    this.#pendingChars = 0;
    return ops;
  }

  /** What is left, then a result for each open call. The last answer says what the turn has used. */
  #rest(status?: "complete"): OperationInput[] {
    const usage = this.#usage.counters;
    const isUsed = this.#lastAnswerId !== undefined && Object.keys(usage).length > 0;
    // With the message itself where it is still written: then the commit's own result tells it as it is stored.
    const isWritten = isUsed && this.#growth?.id === this.#lastAnswerId;
    if (isWritten) this.#growth?.addMetadata({ usage });
    const ops = this.#taken(this.#growth?.take(status) ?? []);
    for (const [callId, toolName] of this.#open) this.#push(missingAnswer(callId, toolName));
    this.#open.clear();
    const answers = this.#taken([]);
    if (this.#lastAnswerId === undefined || !isUsed || isWritten) return [...ops, ...answers];
    return [...ops, ...answers, extend(this.#lastAnswerId, { metadata: { usage } })];
  }
}
