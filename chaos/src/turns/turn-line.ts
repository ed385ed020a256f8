import type { Update } from "./update.js";

/** The method that is called with an update. */
export type Via = "handle" | "link" | "execute" | "stream" | "keep" | "retry" | "discard";

interface CallLine {
  readonly process: string;
  /** Unique within a process. */
  readonly call: number;
  readonly at: number;
}

/** A call is about to be made. */
export interface Delivered extends CallLine {
  readonly type: "delivered";
  readonly via: Via;
  readonly update: Update;
}

/** What a call returned. */
export interface CallResult {
  readonly outcome: "answered" | "merged" | "interrupted" | "superseded" | "reset" | "done";
  readonly reply?: string | undefined;
  readonly duplicate: boolean;
  readonly session: string;
}

/** A call has returned. */
export interface Replied extends CallLine, CallResult {
  readonly type: "replied";
}

/** A call has failed. The update may be delivered again. */
export interface Refused extends CallLine {
  readonly type: "refused";
  readonly code: string;
}

/** A step on the way to the answer to an update. */
export interface TurnEvent {
  /** `begun`: a turn has begun. `asked`: the model was asked. `spent`: the model has reported its usage, as its last event. */
  readonly type: "begun" | "asked" | "spent";
  readonly at: number;
  readonly process: string;
  readonly update: number;
}

/** A message in the final read. */
export interface StoredMessage {
  readonly id: string;
  readonly role: string;
  readonly text: string;
  readonly isLive: boolean;
  /** The update whose prompt it is. */
  readonly update?: number;
  readonly turnId?: string;
  readonly status?: string;
  /** The outcome that a bot has stored with a prompt. */
  readonly mark?: {
    readonly outcome: string;
    readonly turnId: string;
    readonly replyIds: readonly string[];
  };
}

/** A conversation in the final read. */
export interface Conversation {
  readonly type: "conversation";
  readonly session: string;
  /** Archived messages first. */
  readonly messages: readonly StoredMessage[];
  readonly counters: Readonly<Record<string, number>>;
  /** The turn that still runs. */
  readonly running?: string;
  readonly harm: readonly string[];
}

/** The lines of a log that only bots and agents write. */
export type TurnLine = Delivered | Replied | Refused | TurnEvent | Conversation;
