import { randomUUID } from "node:crypto";
import { withBackend } from "./faulty.mjs";

/** Takes a repeat for something new. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    commit: (requests) => backend.commit(requests.map((request) => ({ ...request, id: randomUUID() }))),
  }));
