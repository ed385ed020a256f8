import { TOMBSTONE_MS, type Tombstone } from "@sessions/protocol/backend";
import { expiryText } from "./expiry-text.js";
import { memoryPatch } from "./memory-patch.js";
import type { Change, Patch } from "./patch.js";

/** What has to be written at the end of a session: what is remembered stays for a while. */
export function endPatch({ moment, after, at }: Change, end: Tombstone): Patch {
  const { generated, ...memory } = memoryPatch(moment, after);
  return {
    ...memory,
    isLive: false,
    revision: end.revision,
    at,
    isTold: true,
    isNewLife: true,
    stagedKey: undefined,
    fields: [],
    dropped: [],
    lines: [],
    messageRows: [],
    windowFields: [
      ["r", String(end.revision)],
      ["s", "deleted"],
      ["d", String(end.deletedAt)],
      ["e", ""],
      ...generated,
    ],
    turns: [],
    turnHorizon: 0,
    expiresAt: undefined,
    expiry: "keep",
    windowExpiry: expiryText(end.deletedAt + TOMBSTONE_MS),
    remembered: undefined,
    garbage: [],
  };
}
