import type { Operation, SessionState } from "@sessions/protocol/backend";
import type { MessageRows } from "./message-rows.js";
import type { SearchIndex } from "./search/search-index.js";
import type { SessionReader } from "./session-reader.js";
import type { Sessions } from "./sessions.js";
import type { StagedMessages } from "./staged.js";
import type { Statements } from "./statements.js";
import { NOTHING_COUNTED, NOTHING_GENERATED } from "./stored-memory.js";
import type { CountedMemories, StoredSession } from "./stored-session.js";
import type { TransactionEffects } from "./transaction-effects.js";

/** What the writers of a transaction work with. */
export interface WriteContext {
  readonly statements: Statements;
  readonly rows: MessageRows;
  readonly sessions: Sessions;
  readonly reader: SessionReader;
  readonly search: SearchIndex;
  readonly effects: TransactionEffects;
  readonly now: number;
}

/** A session that commits have changed. */
export interface ChangedSession {
  readonly id: string;
  readonly before: StoredSession | undefined;
  readonly after: SessionState;
  /** What was applied to it. */
  readonly ops: readonly Operation[];
  readonly staged: StagedMessages | undefined;
}

/** Which session it is, and which version of it is written. */
export type Identity = Pick<StoredSession, "key" | "id" | "version" | "change">;

export const NOTHING_REMEMBERED: CountedMemories = {
  commits: NOTHING_COUNTED,
  turns: NOTHING_COUNTED,
  generated: NOTHING_GENERATED,
};
