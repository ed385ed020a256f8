import type { Update } from "./update.js";

/** The call that is made with an update. */
export type Via = "handle" | "link" | "execute" | "stream" | "keep" | "retry" | "discard";

interface CallLine {
  readonly process: string;
  /** Together with `process` it names one call. */
  readonly call: number;
  readonly at: number;
}

/** A call is about to be made. */
export interface Delivered extends CallLine {
  readonly type: "delivered";
  readonly via: Via;
  readonly update: Update;
}

/** What the caller was told. */
export interface Told {
  readonly outcome: "answered" | "merged" | "interrupted" | "superseded" | "reset" | "done";
  readonly reply?: string | undefined;
  readonly duplicate: boolean;
  readonly session: string;
}

/** It was dealt with. */
export interface Replied extends CallLine, Told {
  readonly type: "replied";
}

/** The caller got an error: it may be delivered again. */
export interface Refused extends CallLine {
  readonly type: "refused";
  readonly code: string;
}

/** Something that happened to an update while it was answered. */
export interface TurnEvent {
  /** `begun`: a turn has begun. `asked`: the model was asked. `spent`: the model has told what it used, as its last word. */
  readonly type: "begun" | "asked" | "spent";
  readonly at: number;
  readonly process: string;
  readonly update: number;
}

/** A message as the audit found it. */
export interface StoredMessage {
  readonly id: string;
  readonly role: string;
  readonly text: string;
  readonly isLive: boolean;
  /** The update that it is the prompt of. */
  readonly update?: number;
  readonly turnId?: string;
  readonly status?: string;
  /** What a bot has noted on a prompt. */
  readonly mark?: {
    readonly outcome: string;
    readonly turnId: string;
    readonly replyIds: readonly string[];
  };
}

/** A conversation as the audit found it. */
export interface Conversation {
  readonly type: "conversation";
  readonly session: string;
  /** Archived ones first. */
  readonly messages: readonly StoredMessage[];
  readonly counters: Readonly<Record<string, number>>;
  /** The turn that still runs. */
  readonly running?: string;
  readonly harm: readonly string[];
}

/** The lines of a log that only bots and agents write. */
export type TurnLine = Delivered | Replied | Refused | TurnEvent | Conversation;
