import type { CommitRequest } from "@sessions/protocol";
import type { CommitEntry } from "./journal-line.js";

/** A request as it stands in the journal: what was checked when it was written need not be checked again. */
export function entryOf(request: CommitRequest, revision: number): CommitEntry {
  const { id, at, digest, fence, receipt, ops } = request;
  return {
    r: revision,
    k: id,
    t: at,
    ...(digest === undefined ? {} : { d: digest }),
    ...(fence === undefined ? {} : { f: fence }),
    ...(receipt === undefined ? {} : { x: receipt }),
    ops,
  };
}

/** The request that an entry was. */
export function requestOf(sessionId: string, { k, t, d, f, x, ops }: CommitEntry): CommitRequest {
  return {
    sessionId,
    id: k,
    at: t,
    ...(d === undefined ? {} : { digest: d }),
    ...(f === undefined ? {} : { fence: f }),
    ...(x === undefined ? {} : { receipt: x }),
    ops,
  };
}
