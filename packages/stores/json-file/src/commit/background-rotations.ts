import { join } from "node:path";
import type { JournalContext } from "../session/journal-context.js";
import type { JsonFileWarning } from "../warning.js";
import type { JournalCommitter } from "./journal-committer.js";
import type { RotationReason } from "./rotation.js";

/** Uses the journal of a folder. */
export type UseJournal = <Result>(
  name: string,
  work: (journal: JournalCommitter) => Promise<Result>,
) => Promise<Result>;

/** Rotations that only `close` waits for. */
export class BackgroundRotations {
  readonly #context: JournalContext;
  readonly #use: UseJournal;
  readonly #running = new Set<Promise<void>>();
  /** Expired sessions whose rotation was begun. */
  readonly #expired = new Set<string>();

  constructor(context: JournalContext, use: UseJournal) {
    this.#context = context;
    this.#use = use;
  }

  /** A failure is a warning: the journal goes on growing, and nothing is lost. */
  begin(name: string, reason: RotationReason): void {
    const running = this.#use(name, (journal) => journal.rotate(reason))
      .then(
        () => undefined,
        (cause: unknown) =>
          this.#context.warnings.give(rotationFailed(join(this.#context.sessions, name), cause)),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Rewrites an expired session as a tombstone, once. */
  beginExpired(name: string): void {
    if (!this.#context.writable || this.#expired.has(name)) return;
    this.#expired.add(name);
    this.begin(name, "ended");
  }

  /** Resolves when none is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}

function rotationFailed(path: string, cause: unknown): JsonFileWarning {
  const message = `The journal in ${path} could not be rewritten. It goes on growing; nothing is lost.`;
  return { code: "ROTATION_FAILED", message, path, cause };
}
