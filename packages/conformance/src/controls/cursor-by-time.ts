import { type Change, encodeCursor } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { wrappedCursor } from "./wrapped-cursor.js";

/** A resumed watcher gets no changes whose time is before that of its cursor. */
export const cursorByTime: Control = {
  name: "change cursor that is a time",
  caughtBy: "feed resume",
  hangs: true,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      async *watch(target, signal) {
        const { since, ...session } = target;
        const from = typeof since === "string" ? wrappedCursor(since) : { at: 0, cursor: since };
        for await (const change of backend.watch({ ...session, since: from.cursor }, signal))
          if (change.at >= from.at) yield withTime(change);
      },
    })),
};

function withTime(change: Change): Change {
  return { ...change, cursor: encodeCursor({ at: change.at, cursor: change.cursor }) };
}
