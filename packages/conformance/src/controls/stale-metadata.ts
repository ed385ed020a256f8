import type { CommitRequest, JsonObject } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Writes the metadata with every append as this instance has first read it. */
export const staleMetadata: Control = {
  name: "outdated metadata written by appends",
  caughtBy: "no lost update",
  breakPlace: (place) =>
    withBackend(place, (backend) => {
      const seen = new Map<string, JsonObject>();
      const whole = (request: CommitRequest): CommitRequest => {
        const metadata = seen.get(request.sessionId);
        if (metadata === undefined || !request.ops.some((op) => op.op === "append")) return request;
        return { ...request, ops: [...request.ops, { op: "set", metadata }] };
      };
      return {
        read: async (sessionId, select) => {
          const record = await backend.read(sessionId, select);
          if (record !== undefined && !seen.has(sessionId)) seen.set(sessionId, record.metadata);
          return record;
        },
        commit: (requests) => backend.commit(requests.map(whole)),
      };
    }),
};
