import type { Tombstone } from "@sessions/protocol/backend";
import { planEnd } from "@sessions/row-engine";
import { LIMITS } from "../keys/fields.js";
import { atLater, NO_REMAINS } from "../session/session-entry.js";
import type { SessionHead } from "../session/session-head.js";
import type { CommitWrite } from "./commit-write.js";
import type { StateChange } from "./decide.js";
import { indexEntryText, setChanges } from "./index-changes.js";
import { expiryAt, recordDifference } from "./record-fields.js";
import {
  commonWrite,
  engineChange,
  liveStateOf,
  memoriesAfter,
  type SessionWrite,
  type WriteContext,
} from "./write-context.js";

/** Writes a session that has ended: of its content nothing stays. */
export function endWrite(context: WriteContext, change: StateChange, after: Tombstone): SessionWrite {
  const { entry, version } = context;
  const plan = planEnd(engineChange(context, change), after);
  const { revision, deletedAt } = plan.stored;
  const { given, generated } = memoriesAfter(entry.head, after.commits);
  const head: SessionHead = {
    revision,
    version,
    life: version,
    createdAt: entry.head?.createdAt ?? deletedAt,
    updatedAt: deletedAt,
    expiresAt: undefined,
    renews: undefined,
    nextRow: 0,
    index: "",
    deletedAt,
    token: undefined,
    given,
    generated,
  };
  const record = recordDifference(entry.head, head);
  const liveBefore = liveStateOf(change.before?.state);
  const indexBefore = liveBefore === undefined ? entry.remains.entry : indexEntryText(liveBefore);
  const write: CommitWrite = {
    ...commonWrite(context, change),
    isLive: false,
    revision,
    sessionExpiry: "keep",
    recordExpiry: expiryAt(deletedAt + LIMITS.TOMBSTONE_MS),
    entry: indexBefore === "" ? undefined : "",
    clearsTurns: undefined,
    isNewLife: false,
    staged: undefined,
    sets: setChanges(context.keys.partition, entry, liveBefore, { deletedAt }),
    recordFields: record.fields,
    recordGone: record.gone,
    sessionFields: [],
    sessionGone: [],
    ids: [],
    dropped: [],
    turns: [],
  };
  const moment = atLater(entry, deletedAt);
  return {
    write,
    after: { ...entry, ...moment, head, content: undefined, remains: NO_REMAINS },
    written: [],
  };
}
