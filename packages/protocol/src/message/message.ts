import type { Json, JsonObject } from "../json/json.js";

/**
 * A part of a message's content. The well-known types follow the AI SDK's ModelMessage parts
 * (`text`, `reasoning`, `image`, `file`, `tool-call`, `tool-result`); unknown types survive untouched.
 */
export interface ContentPart {
  readonly type: string;
  readonly [field: string]: Json;
}

/** `partial`: still being written. `interrupted`: the writer stopped. Absent: complete. */
export type MessageStatus = "partial" | "interrupted";

/** A message as it is stored and returned. */
export interface Message {
  /** Unique in its session, among live and archived messages. */
  readonly id: string;
  /** `system`, `user`, `assistant`, `tool`, or any other. */
  readonly role: string;
  /** Absent if another field has the content (`parts`, `item`, `entry`…). `null` as OpenAI writes it beside tool calls. */
  readonly content?: string | readonly ContentPart[] | null;
  /** Milliseconds since the epoch. A time of the caller's is kept. */
  readonly createdAt: number;
  readonly status?: MessageStatus;
  readonly metadata?: JsonObject;
  /** Unknown fields survive every operation untouched. */
  readonly [field: string]: Json | undefined;
}

/**
 * A message that is not yet committed: it is validated and has an id, but a time only if the caller set one. `applyCommit`
 * sets the time of the commit, so that a request that is sent again contains the same message.
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
