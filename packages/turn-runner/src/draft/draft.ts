import {
  append,
  extend,
  type JsonObject,
  jsonify,
  type MessageInput,
  type OperationInput,
  set,
  toolLinksOf,
} from "@sessions/protocol";
import type { AgentEvent, MessageEvent, ToolCall, ToolResult } from "../agent/agent-event.js";
import { isFields } from "../arguments/fields.js";
import { invalid } from "../arguments/invalid.js";
import { requireName } from "../arguments/require.js";
import { statePatch } from "../history/agent-state.js";
import { missingResult, toolMessage, toolNameIn } from "../history/tool-message.js";
import { markTurn, TURN_MARKS } from "../history/turn-marks.js";
import type { CheckpointSource } from "./checkpoints.js";
import { DraftMessage } from "./draft-message.js";
import { UsageSum } from "./usage-sum.js";

/**
 * The answer of a turn while it is written: takes events and turns them into operations.
 *
 * An assistant message stays open until its last tool call has a result. Text and calls that come before that join it, so that
 * nothing stands between a call and its result. Later text begins a new message.
 */
export class Draft implements CheckpointSource {
  readonly #turnId: string;
  readonly #newId: () => string;
  readonly #usage = new UsageSum();
  readonly #messageIds: string[] = [];
  /** Calls without a result, with the names of their tools. */
  readonly #openCalls = new Map<string, string>();
  /** Operations of messages that are closed. */
  #ops: OperationInput[] = [];
  #open: DraftMessage | undefined;
  #lastAnswerId: string | undefined;
  #state: JsonObject = {};
  #pendingChars = 0;

  constructor(turnId: string, newId: () => string) {
    this.#turnId = turnId;
    this.#newId = newId;
  }

  get pendingChars(): number {
    return this.#pendingChars;
  }

  /** The messages of the answer so far, in order. */
  get messageIds(): readonly string[] {
    return this.#messageIds;
  }

  /** The usage of the turn so far. */
  get counters(): Readonly<Record<string, number>> {
    return this.#usage.counters;
  }

  /** Takes an event. INVALID_ARGUMENT if it would lead to a history that providers refuse. */
  add(event: AgentEvent): void {
    if (!isFields(event)) throw invalid("event", "must be an object.");
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
        this.#state = { ...this.#state, ...jsonObject(event.patch, "event.patch") };
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

  /** Operations for the events since the last call. */
  take(): OperationInput[] {
    return this.#taken(this.#open?.take() ?? []);
  }

  /** The remaining operations of a complete answer. */
  finish(): OperationInput[] {
    return this.#rest("complete");
  }

  /** The remaining operations of an answer that stays incomplete. */
  abandon(): OperationInput[] {
    return this.#rest();
  }

  /** The change of the agent's state, for the commit that completes the turn. */
  stateChange(): OperationInput[] {
    return Object.keys(this.#state).length === 0 ? [] : [set({ metadata: statePatch(this.#state) })];
  }

  #addText(kind: "text" | "reasoning", text: unknown): void {
    if (typeof text !== "string") throw invalid("event.text", "must be a string.");
    if (text === "") return;
    this.#openMessage().addText(kind, text);
    this.#pendingChars += text.length;
  }

  #addCall({ toolCallId, toolName, input }: ToolCall): void {
    requireName(toolCallId, "event.toolCallId");
    requireName(toolName, "event.toolName");
    if (this.#openCalls.has(toolCallId))
      throw invalid("event.toolCallId", `is that of a call without a result yet: "${toolCallId}".`);
    this.#openMessage().addPart({ type: "tool-call", toolCallId, toolName, input: jsonify(input) });
    this.#openCalls.set(toolCallId, toolName);
  }

  #addResult({ toolCallId, toolName, output, isError }: ToolResult): void {
    if (!this.#openCalls.has(toolCallId))
      throw invalid("event.toolCallId", `answers no open call of this turn: "${toolCallId}".`);
    const result = toolMessage({ toolCallId, toolName, output: jsonify(output), isError: isError === true });
    this.#pushResult(result, [toolCallId]);
  }

  /** The calls of a whole message are open from now on, and the calls that it answers are not. */
  #addMessage({ message }: MessageEvent): void {
    if (!isFields(message)) throw invalid("event.message", "must be an object.");
    const { calls, results } = toolLinksOf(message);
    if (results.some((id) => this.#openCalls.has(id))) this.#pushResult(message, results);
    else this.#pushMessage(message);
    for (const call of calls.filter((one) => !results.includes(one)))
      this.#openCalls.set(call, toolNameIn(message, call));
  }

  #addMetadata(metadata: unknown): void {
    const entries = jsonObject(metadata, "event.metadata");
    const taken = TURN_MARKS.find((key) => Object.hasOwn(entries, key));
    if (taken !== undefined) throw invalid(`event.metadata.${taken}`, "is written by the agent itself.");
    this.#openMessage().addMetadata(entries);
  }

  /** The open message; a new one if there is none. */
  #openMessage(): DraftMessage {
    if (this.#open !== undefined) return this.#open;
    this.#requireNoOpenCalls("event");
    const id = this.#newId();
    this.#messageIds.push(id);
    this.#lastAnswerId = id;
    this.#open = new DraftMessage(id, this.#turnId);
    return this.#open;
  }

  #closeMessage(): void {
    if (this.#open !== undefined) this.#ops.push(...this.#open.take("complete"));
    this.#open = undefined;
  }

  #pushMessage(message: MessageInput): void {
    this.#requireNoOpenCalls("event.message");
    this.#closeMessage();
    const id = this.#push(message);
    if (message.role === "assistant") this.#lastAnswerId = id;
  }

  #pushResult(result: MessageInput, callIds: readonly string[]): void {
    for (const id of callIds) this.#openCalls.delete(id);
    if (this.#openCalls.size === 0) this.#closeMessage();
    else this.#ops.push(...(this.#open?.take() ?? []));
    this.#push(result);
  }

  #push(message: MessageInput): string {
    const id = message.id ?? this.#newId();
    this.#messageIds.push(id);
    this.#ops.push(append(markTurn(this.#turnId, { ...message, id })));
    return id;
  }

  #requireNoOpenCalls(path: string): void {
    if (this.#openCalls.size > 0) throw invalid(path, "would stand between a tool call and its result.");
  }

  #taken(more: readonly OperationInput[]): OperationInput[] {
    const ops = [...this.#ops, ...more];
    this.#ops = [];
    this.#pendingChars = 0;
    return ops;
  }

  /** What is left, then an error result for each open call. The last answer carries the usage of the turn. */
  #rest(status?: "complete"): OperationInput[] {
    const usage = this.#usage.counters;
    const hasUsage = this.#lastAnswerId !== undefined && Object.keys(usage).length > 0;
    // In the open message if possible: then the result of the commit holds the whole answer, and it need not be read.
    const isInOpen = hasUsage && this.#open?.id === this.#lastAnswerId;
    if (isInOpen) this.#open?.addMetadata({ usage });
    const ops = this.#taken(this.#open?.take(status) ?? []);
    for (const [callId, toolName] of this.#openCalls) this.#push(missingResult(callId, toolName));
    this.#openCalls.clear();
    const results = this.#taken([]);
    if (this.#lastAnswerId === undefined || !hasUsage || isInOpen) return [...ops, ...results];
    return [...ops, ...results, extend(this.#lastAnswerId, { metadata: { usage } })];
  }
}

function jsonObject(value: unknown, path: string): JsonObject {
  if (!isFields(value)) throw invalid(path, "must be an object.");
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonify(one)]));
}
