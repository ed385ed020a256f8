import { randomUUID } from "node:crypto";
import { withBackend } from "./with-backend.mjs";

/** Commits a repeated commit id again. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    commit: (requests) => backend.commit(requests.map((request) => ({ ...request, id: randomUUID() }))),
  }));
