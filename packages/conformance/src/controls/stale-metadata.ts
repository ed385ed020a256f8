import type { CommitRequest, JsonObject } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Saves the whole session with every append: the metadata as it was when this instance first saw it. */
export const staleMetadata: Control = {
  name: "lost metadata on append",
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
