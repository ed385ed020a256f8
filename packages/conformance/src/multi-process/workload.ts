import type { Json, SessionStore } from "@sessions/protocol";
import type { Recorder } from "./recorder.js";

/** Work for a worker process. Message ids begin with `prefix`, so that each id is sent once in the whole log. */
export type Workload =
  /** Adds `count` messages, to each session in turn, one after the other. */
  | {
      readonly do: "append";
      readonly sessions: readonly string[];
      readonly prefix: string;
      readonly count: number;
    }
  /** Adds messages until the process is killed. */
  | { readonly do: "append-forever"; readonly session: string; readonly prefix: string }
  /** Adds one message, and 1 to a counter, under a commit id that other processes use as well. */
  | {
      readonly do: "append-once";
      readonly session: string;
      readonly messageId: string;
      readonly commitId: string;
    }
  /** Creates a session; returns whether this process created it. */
  | { readonly do: "create"; readonly session: string; readonly title: string }
  /** Reads the history, adds one message, and replaces the whole: `count` times. */
  | { readonly do: "replace"; readonly session: string; readonly prefix: string; readonly count: number }
  /** Changes a metadata key, a label and a shared counter, `count` times. No other process uses `key`. */
  | { readonly do: "settings"; readonly session: string; readonly key: string; readonly count: number }
  /** Archives all but the newest messages, `count` times. */
  | { readonly do: "archive"; readonly session: string; readonly keepRecent: number; readonly count: number }
  /** Forks the session `count` times and adds a message to each fork. Returns the ids of the forks. */
  | { readonly do: "fork"; readonly session: string; readonly prefix: string; readonly count: number }
  | { readonly do: "delete"; readonly session: string }
  /** Reads all messages of a session. Returns their ids. */
  | { readonly do: "read"; readonly session: string }
  /** Returns the ids of all sessions with this label. */
  | { readonly do: "list"; readonly user: string }
  /** Runs `count` turns, each of which adds a message and then completes with another. */
  | {
      readonly do: "turns";
      readonly session: string;
      readonly prefix: string;
      readonly count: number;
      readonly ttlMs: number;
    }
  /** Runs one turn under an id that other processes use as well. Returns its status, or the code of the error. */
  | {
      readonly do: "turn-once";
      readonly session: string;
      readonly turnId: string;
      readonly ttlMs?: number;
    }
  /** Runs turns until the process is killed, each with a question, an answer and a count. Notes each completed one. */
  | { readonly do: "answer-forever"; readonly session: string; readonly prefix: string }
  /** Runs one turn that extends its answer until the process is killed. Notes every acknowledged word. */
  | {
      readonly do: "stream-forever";
      readonly session: string;
      readonly turnId: string;
      readonly ttlMs: number;
    }
  /** Begins a turn and keeps it running until `complete-turn`. Returns its token; notes why its signal aborted. */
  | {
      readonly do: "hold-turn";
      readonly session: string;
      readonly turnId: string;
      readonly ttlMs: number;
      readonly waitMs: number;
    }
  /** Writes through the turn of `hold-turn`. Returns the code of the error, if there is one. */
  | { readonly do: "write-in-turn"; readonly messageId: string }
  /** Writes with the token of a turn that any process holds. Returns the code of the error, if there is one. */
  | {
      readonly do: "write-with-token";
      readonly session: string;
      readonly token: string;
      readonly messageId: string;
    }
  /** Completes the turn of `hold-turn`. Returns the code of the error, if there is one. */
  | { readonly do: "complete-turn" }
  /** Interrupts the running turn. */
  | { readonly do: "interrupt"; readonly session: string }
  /** Sets the wall clock of the worker's process ahead or back, until it opens another store. */
  | { readonly do: "set-clock"; readonly aheadMs: number }
  /** Notes every change after the revision, until the worker ends. */
  | { readonly do: "watch"; readonly session: string; readonly since: number }
  /** Notes every change of the whole store after the cursor, until the worker ends. */
  | { readonly do: "watch-store"; readonly since: string };

/** What work needs. */
export interface WorkerContext {
  readonly store: SessionStore;
  readonly recorder: Recorder;
  /** Sends a value to the kit while the work goes on. */
  note(note: Json): void;
}

/** The function for one kind of work. What it returns is sent to the kit. */
export type Perform<Kind extends Workload["do"]> = (
  work: Extract<Workload, { readonly do: Kind }>,
  context: WorkerContext,
) => Promise<Json>;
