import { type CommitRequest, copyOfState, layeredHistory, timed } from "@sessions/protocol";
import { checksum } from "./checksum.js";
import { type CommitContext, DamagedSession } from "./commit-batch.js";
import type { Committed } from "./committed.js";
import { isDamage } from "./error-mapping.js";
import { addGenerated } from "./generated-writer.js";
import { type PlainAppend, plainAppend, RULES } from "./plain-append.js";
import { topOf } from "./rising-ids.js";
import { RowSource } from "./row-source.js";
import { rowTextOf, stateText } from "./row-text.js";
import type { GeneratedEntry } from "./stored-memory.js";
import { type AppendedMessage, timedText } from "./stored-message.js";
import type { StoredSession } from "./stored-session.js";
import { endsBlock, indexOpenRows } from "./unindexed-rows.js";
import { writeSessionRow } from "./write-session-row.js";

/** A short way for what nearly every commit is. It leaves the very same rows as the general one. */
export interface Lane {
  /** Within a transaction. `undefined` if it has to take the general way; then nothing was written. */
  take(request: CommitRequest): Committed | undefined;
}

/** What is to be remembered of a message once it is committed. */
interface Inserted {
  readonly row: number;
  readonly appended: AppendedMessage;
  readonly size: number;
}

/** One message at the end of a session that is in memory: its row, and the session's. */
export class PlainLane implements Lane {
  readonly #context: CommitContext;
  readonly #rules: Parameters<typeof plainAppend>[2];

  constructor(context: CommitContext, rules: Readonly<typeof RULES> = RULES) {
    this.#context = context;
    this.#rules = Object.values(rules);
  }

  take(request: CommitRequest): Committed | undefined {
    const session = this.#context.sessions.current(request.sessionId);
    if (session === undefined) return undefined;
    try {
      const append = plainAppend(session, request, this.#rules);
      return append && this.#appended(append);
    } catch (error) {
      throw isDamage(error) ? new DamagedSession(session.id, error) : error;
    }
  }

  #appended(append: PlainAppend): Committed {
    const { sessions, rows } = this.#context;
    const { row, appended, size } = this.#insert(append);
    const written = this.#write(append);
    return {
      outcomes: [append.outcome],
      hasWritten: true,
      remember() {
        rows.cache.appended(row, appended, size);
        rows.cache.trim();
        sessions.put(written);
      },
    };
  }

  #insert({ draft, request, log, outcome: { revision } }: PlainAppend): Inserted {
    const { statements, search } = this.#context;
    const { id } = draft;
    const { at } = request;
    const row = log.nextRow;
    const body = timedText(draft, at);
    if (endsBlock(row)) indexOpenRows(statements, row);
    const insert = endsBlock(row) ? statements.insertMessage : statements.appendMessage;
    insert.run(row, log.id, id, revision, checksum(row, id, revision, body), body);
    if (search.isThere) search.put(row, timed(draft, at));
    return { row, appended: { draft, at, revision }, size: body.length };
  }

  #write(append: PlainAppend): StoredSession {
    const { session, log, draft, request, outcome } = append;
    const { statements, sessions, rows, reader } = this.#context;
    const { key, id, partsVersion, parts, counted, drafts } = session;
    const { newest: before, steady } = session.text ?? rowTextOf(session, append.state);
    const entry: GeneratedEntry = [request.id, outcome.revision, request.at];
    const generated = addGenerated(statements, key, counted.generated, [entry]);
    const text = { steady, newest: generated.newest.length === 0 ? "" : listed(before, entry) };
    const topId = topOf(session.topId, draft.id);
    const head = append.head.grown();
    const memories = { commits: counted.commits, turns: counted.turns, generated };
    const state = copyOfState(append.state);
    state.revision = outcome.revision;
    state.updatedAt = Math.max(state.updatedAt, request.at);
    state.history = layeredHistory(new RowSource(head, rows, topId), state.history);
    state.commits = { given: state.commits.given, generated: reader.generated(key, generated) };
    const written = {
      key,
      id,
      version: session.version + 1,
      change: sessions.nextChange(),
      partsVersion,
      log: {
        id: log.id,
        nextRow: log.nextRow + 1,
        layout: log.layout,
        sharedUntil: log.sharedUntil,
      },
      parts,
      counted: memories,
      topId,
      drafts,
      state,
      text,
    };
    writeSessionRow(statements, written, state, stateText(text, { head, topId, generated }), session);
    return written;
  }
}

function listed(before: string, entry: GeneratedEntry): string {
  const [id, revision, at] = entry;
  const text = `[${JSON.stringify(id)},${revision},${at}]`;
  return before === "" ? text : `${before},${text}`;
}
