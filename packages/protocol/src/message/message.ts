import type { Json, JsonObject } from "../json/json.js";

/**
 * A part of a message's content. The well-known types follow the AI SDK's ModelMessage parts
 * (`text`, `reasoning`, `image`, `file`, `tool-call`, `tool-result`); unknown types survive untouched.
 */
export interface ContentPart {
  readonly type: string;
  readonly [field: string]: Json;
}

/** `partial`: still being written. `interrupted`: its writer stopped. Absent: complete. */
export type MessageStatus = "partial" | "interrupted";

/** A message as it is stored and returned. */
export interface Message {
  /** Unique among the messages that its session holds, live or archived. */
  readonly id: string;
  /** `system`, `user`, `assistant`, `tool`, or any other. */
  readonly role: string;
  /** Absent where another field carries the body (`parts`, `item`, `entry`…); `null` as OpenAI has it beside calls. */
  readonly content?: string | readonly ContentPart[] | null;
  /** Milliseconds since the epoch; the caller's is kept. */
  readonly createdAt: number;
  readonly status?: MessageStatus;
  readonly metadata?: JsonObject;
  /** Unknown fields survive every operation untouched. */
  readonly [field: string]: Json | undefined;
}

/**
 * A message on its way into a session: named, validated, but without a time unless the caller gave one.
 * `applyCommit` gives it the commit's time, so that a repeated request means the same message.
 */
export interface MessageDraft {
  readonly id: string;
  readonly role: string;
  readonly content?: string | readonly ContentPart[] | null;
  readonly createdAt?: number;
  readonly status?: MessageStatus;
  readonly metadata?: JsonObject;
  readonly [field: string]: Json | undefined;
}
