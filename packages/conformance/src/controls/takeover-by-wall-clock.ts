import type { SessionBackend } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Decides by the caller's wall clock whether a lease has ended. */
export const takeoverByWallClock: Control = {
  name: "takeover by wall clock",
  caughtBy: "turns",
  breakPlace: (place) =>
    withBackend(
      place,
      (backend): Partial<SessionBackend> => ({
        commit: (requests) =>
          backend.commit(requests.map(({ leaseTime: _, unchangedLeases: __, ...request }) => request)),
      }),
    ),
};
