import type { RunToolApprovalItem } from "@openai/agents";
import {
  type Json,
  type JsonObject,
  jsonify,
  type OperationInput,
  SessionError,
  type SessionSummary,
  set,
} from "@sessions/protocol";
import { fieldsAt, isFields, stringAt } from "@sessions/turn-runner";
import type { WaitingCall } from "./runs.js";

/** The key of a session's metadata with the run that waits. */
const KEY = "openai.run";
const VERSION = 1;

/** What was decided about a call. */
export interface Decision {
  readonly approve: boolean;
  /** Of a rejection, for the model. */
  readonly message?: string;
}

/** A call of a run that waits. */
export interface DecidableCall extends Omit<WaitingCall, "status"> {
  readonly decision?: Decision;
  /** A process has begun to run the tool. */
  readonly started?: boolean;
}

/** A run that has stopped, as it is stored in its session. */
export interface WaitingRun {
  /** The turn that has stopped. */
  readonly turnId: string;
  /** The SDK's state, serialized. */
  readonly state: string;
  readonly calls: readonly DecidableCall[];
}

/** The run that waits in a session. SESSION_CORRUPTED if it cannot be read. */
export function waitingRunOf({ id, metadata }: SessionSummary): WaitingRun | undefined {
  const stored = metadata[KEY];
  if (stored === undefined) return undefined;
  const { version, turnId, state, calls } = fieldsAt(metadata, KEY);
  if (typeof version === "number" && version > VERSION) throw tooNew(id, version);
  const isWhole = version === VERSION && typeof turnId === "string" && typeof state === "string";
  if (!isWhole || !Array.isArray(calls)) throw corrupted(id);
  return { turnId, state, calls: calls.map((call) => callOf(id, call)) };
}

function callOf(sessionId: string, stored: unknown): DecidableCall {
  if (!isFields(stored)) throw corrupted(sessionId);
  const { callId, toolName, agentName, input, decision, started } = stored;
  if (typeof callId !== "string" || typeof toolName !== "string" || typeof agentName !== "string")
    throw corrupted(sessionId);
  return {
    callId,
    toolName,
    agentName,
    input: jsonify(input),
    ...(started === true ? { started } : {}),
    ...(isFields(decision) ? { decision: decisionOf(decision) } : {}),
  };
}

const corrupted = (sessionId: string): SessionError =>
  SessionError.of("SESSION_CORRUPTED", `The run that waits in session "${sessionId}" cannot be read.`, {
    sessionId,
    location: `metadata ${KEY}`,
  });

const tooNew = (sessionId: string, found: number): SessionError =>
  SessionError.of(
    "FORMAT_UNSUPPORTED",
    `The run that waits in session "${sessionId}" was stored by a newer version of @sessions/openai-agents. Update it.`,
    { sessionId, found, supported: VERSION },
  );

function decisionOf(stored: Readonly<Record<string, unknown>>): Decision {
  const message = stringAt(stored, "message");
  return { approve: stored["approve"] === true, ...(message === undefined ? {} : { message }) };
}

/** Stores the run that waits, or removes it. */
export function storeWaitingRun(run: WaitingRun | undefined): OperationInput {
  const value: JsonObject | null = run === undefined ? null : { version: VERSION, ...jsonOf(run) };
  return set({ metadata: { [KEY]: value } });
}

function jsonOf({ turnId, state, calls }: WaitingRun): JsonObject {
  return { turnId, state, calls: calls.map((call) => jsonify(call)) };
}

/** The SDK's state of a run, of any context and agent. */
export interface SerializableState {
  getInterruptions(): RunToolApprovalItem[];
  toString(): string;
}

/** The run of a state that has stopped. `before` are the calls as they were decided. */
export function waitingRun(
  turnId: string,
  state: SerializableState,
  before: readonly DecidableCall[] = [],
): WaitingRun {
  const calls = state.getInterruptions().map((item) => {
    const call = callIn(item);
    return before.find(({ callId }) => callId === call.callId) ?? call;
  });
  return { turnId, state: state.toString(), calls };
}

function callIn(item: RunToolApprovalItem): DecidableCall {
  return {
    callId: callIdOf(item),
    toolName: item.name ?? item.rawItem.type,
    agentName: item.agent.name,
    input: inputOf(item),
  };
}

/** The id of the call that an approval is asked for. */
export function callIdOf({ rawItem }: RunToolApprovalItem): string {
  if ("callId" in rawItem) return rawItem.callId;
  return rawItem.id ?? "";
}

function inputOf({ arguments: given, rawItem }: RunToolApprovalItem): Json {
  if (given === undefined) return jsonify(rawItem);
  try {
    return jsonify(JSON.parse(given));
  } catch {
    // Models write malformed arguments. Whoever decides must see them as they are.
    return given;
  }
}
