import type { Json, SessionStore } from "@sessions/protocol";
import type { Recorder } from "./recorder.js";

/** What a worker can be told to do. Message ids begin with `prefix`, so that each is sent once in the whole log. */
export type Workload =
  /** Adds `count` messages, in turn to each session, the next when the one before is acknowledged. */
  | {
      readonly do: "append";
      readonly sessions: readonly string[];
      readonly prefix: string;
      readonly count: number;
    }
  /** Adds messages for ever. */
  | { readonly do: "append-forever"; readonly session: string; readonly prefix: string }
  /** Adds one message, and one to a counter, under a commit id that others use as well. */
  | {
      readonly do: "append-once";
      readonly session: string;
      readonly messageId: string;
      readonly commitId: string;
    }
  /** Makes a session; answers whether this process was the one that did. */
  | { readonly do: "create"; readonly session: string; readonly title: string }
  /** Reads the history, adds one message, and replaces the whole: `count` times. */
  | { readonly do: "replace"; readonly session: string; readonly prefix: string; readonly count: number }
  /** Changes a metadata key and a label of its own, and a counter of everybody's: `count` times. */
  | { readonly do: "settings"; readonly session: string; readonly key: string; readonly count: number }
  /** Archives all but the newest messages, `count` times. */
  | { readonly do: "archive"; readonly session: string; readonly keepRecent: number; readonly count: number }
  /** Forks the session and adds a message to each fork. Answers the ids of the forks. */
  | { readonly do: "fork"; readonly session: string; readonly prefix: string; readonly count: number }
  | { readonly do: "delete"; readonly session: string }
  /** Reads everything that a session holds, once. */
  | { readonly do: "read"; readonly session: string }
  /** Answers the ids of all sessions with this label. */
  | { readonly do: "list"; readonly user: string }
  /** Takes `count` turns, each of which adds a message and then completes with another. */
  | {
      readonly do: "turns";
      readonly session: string;
      readonly prefix: string;
      readonly count: number;
      readonly ttlMs: number;
    }
  /** Runs one turn under an id that others use as well; answers whether this process ran it. */
  | {
      readonly do: "turn-once";
      readonly session: string;
      readonly turnId: string;
      readonly ttlMs?: number;
    }
  /** Runs turns for ever, each with a question, an answer and a count. Notes each that was completed. */
  | { readonly do: "answer-forever"; readonly session: string; readonly prefix: string }
  /** Runs one turn that asks a question and extends its answer for ever. Notes every word that was acknowledged. */
  | {
      readonly do: "stream-forever";
      readonly session: string;
      readonly turnId: string;
      readonly ttlMs: number;
    }
  /** Begins a turn and keeps it; notes its token, and later why its signal aborted. Ends with `let-go`. */
  | {
      readonly do: "hold";
      readonly session: string;
      readonly turnId: string;
      readonly ttlMs: number;
      readonly waitMs: number;
    }
  /** Writes through the turn that is held. Answers the code of the refusal, if there is one. */
  | { readonly do: "write-held"; readonly messageId: string }
  /** Writes with a turn's token, as a process would that was handed it. Answers the code of the refusal, if any. */
  | {
      readonly do: "write-fenced";
      readonly session: string;
      readonly token: string;
      readonly messageId: string;
    }
  /** Completes the turn that is held. Answers the code of the refusal, if there is one. */
  | { readonly do: "let-go" }
  /** Asks whichever turn runs to stop. */
  | { readonly do: "interrupt"; readonly session: string }
  /** Sets the wall clock of the worker's process ahead, or back; until it opens another store. */
  | { readonly do: "set-clock"; readonly aheadMs: number }
  /** Notes every change after the revision, until the worker ends. */
  | { readonly do: "watch"; readonly session: string; readonly since: number }
  /** Notes every change of the whole store after the cursor, until the worker ends. */
  | { readonly do: "resume"; readonly since: string };

/** What a worker works with. */
export interface Workplace {
  readonly store: SessionStore;
  readonly recorder: Recorder;
  /** Tells the kit something while the work goes on. */
  note(note: Json): void;
}

/** One kind of work. What it returns is the answer. */
export type Perform<Kind extends Workload["do"]> = (
  work: Extract<Workload, { readonly do: Kind }>,
  place: Workplace,
) => Promise<Json>;
