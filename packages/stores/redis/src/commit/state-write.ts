import { openHotStateText } from "@sessions/row-engine";
import { FIELDS } from "../keys/fields.js";
import { checkedText } from "../session/checked-text.js";
import type { SessionEntry } from "../session/session-entry.js";
import { type UnusedRows, unusedRowsText } from "../session/unused-rows.js";
import type { CommitWrite } from "./commit-write.js";

/** Writes which rows of a live session are in use, and nothing else: no revision, no change for watchers. */
export function stateWrite(
  { head, content, remains }: SessionEntry,
  version: string,
  nextRow: number,
  unused: UnusedRows,
): CommitWrite {
  if (head === undefined || content === undefined) throw new TypeError("the session is not live");
  const text = unusedRowsText(unused);
  return {
    expected: {
      version: head.version,
      revision: head.revision,
      content: "live",
      entry: remains.entry,
      isIndexed: false,
      at: undefined,
    },
    isLive: true,
    revision: head.revision,
    isFed: false,
    sessionExpiry: "keep",
    recordExpiry: "keep",
    entry: undefined,
    clearsCommits: undefined,
    clearsTurns: undefined,
    isNewLife: false,
    staged: undefined,
    sets: [],
    recordFields: [
      [FIELDS.VERSION, version],
      [FIELDS.NEXT, nextRow],
    ],
    sessionFields: [
      [FIELDS.STATE, checkedText(openHotStateText(content.hot, nextRow))],
      ...(text === "" ? [] : [[FIELDS.UNUSED, text] as const]),
    ],
    recordGone: [],
    sessionGone: text === "" ? [FIELDS.UNUSED] : [],
    ids: [],
    dropped: [],
    absentOfRecord: [],
    absentOfSession: [],
    commits: [],
    generated: [],
    turns: [],
  };
}
