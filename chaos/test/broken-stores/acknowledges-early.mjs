import { setTimeout } from "node:timers/promises";
import { withBackend } from "./with-backend.mjs";

/** Acknowledges an append 50 ms before it commits it. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    async commit(requests) {
      if (!requests.every(({ ops }) => ops.length === 1 && ops[0].op === "append"))
        return backend.commit(requests);
      const revision = (await backend.read(requests[0].sessionId, { messages: "none" }))?.revision ?? 0;
      void setTimeout(50).then(() => backend.commit(requests));
      return requests.map(({ at }, index) => ({ status: "applied", revision: revision + index + 1, at }));
    },
  }));
