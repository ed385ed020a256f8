import {
  type CommitOutcome,
  type CommitRequest,
  type Message,
  type SessionDocument,
  SessionError,
  systemClock,
} from "@sessions/protocol";
import Database from "better-sqlite3";
import type { Lane } from "../../src/plain-lane.js";
import { SqliteBackend } from "../../src/sqlite-backend.js";
import { openSqliteContext, type SqliteContext } from "../../src/sqlite-context.js";
import { temporaryPath } from "../temporary.js";

const START = 1_750_000_000_000;

/** What a request says beside what every one of them does. */
export type Asked = Pick<CommitRequest, "ops"> & Partial<CommitRequest>;

/** One of two stores that are asked for the same things. Names and times are counted, so both give the same ones. */
export class Twin implements AsyncDisposable {
  readonly db: Database.Database;
  readonly path: string;
  readonly #backend: SqliteBackend;
  readonly outcomes: string[] = [];
  /** How many commits have taken the lane. */
  taken = 0;
  #named = 0;

  private constructor(context: SqliteContext, path: string, lane: Lane) {
    this.db = context.db;
    this.path = path;
    this.#backend = new SqliteBackend({
      ...context,
      lane: { take: (request) => this.#counted(lane, request) },
    });
  }

  static async open(laneOf: (context: SqliteContext) => Lane): Promise<Twin> {
    const path = await temporaryPath();
    const database = new Database(path);
    const clock = { ...systemClock, now: () => START };
    const context = await openSqliteContext({ database, clock, search: true, sweepIntervalMs: 0 });
    database.pragma("synchronous = OFF"); // the test is not about power cuts
    return new Twin(context, path, laneOf(context));
  }

  /** A name that no other thing of this store has. Later ones are greater. */
  name(kind: string): string {
    this.#named++;
    return `${kind}-${String(this.#named).padStart(6, "0")}`;
  }

  message(): Message {
    const id = this.name("message");
    return { id, role: "user", content: `the words of ${id}`, createdAt: START };
  }

  /** Commits of one call. */
  async commit(...asked: readonly Asked[]): Promise<void> {
    const requests = asked.map((one) => {
      const id = this.name("commit");
      return { sessionId: "s", id, at: START + this.#named * 7, ...one };
    });
    this.outcomes.push(...(await this.#outcomes(requests)));
  }

  async messages(sessionId = "s"): Promise<readonly Message[]> {
    return (await this.document(sessionId))?.messages ?? [];
  }

  async document(sessionId = "s"): Promise<SessionDocument | undefined> {
    return this.#backend.document(sessionId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#backend.close();
    this.db.close();
  }

  async #outcomes(requests: readonly CommitRequest[]): Promise<readonly string[]> {
    try {
      return (await this.#backend.commit(requests)).map(textOf);
    } catch (error) {
      if (!SessionError.is(error, "STORE_FULL")) throw error;
      return [error.code];
    }
  }

  #counted(lane: Lane, request: CommitRequest): ReturnType<Lane["take"]> {
    const committed = lane.take(request);
    if (committed !== undefined) this.taken++;
    return committed;
  }
}

function textOf(outcome: CommitOutcome): string {
  return JSON.stringify(outcome.status === "rejected" ? outcome.error.code : outcome);
}
