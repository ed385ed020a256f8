import { randomUUID } from "node:crypto";
import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Applies a repeat again. */
export const commitIdIgnored: Control = {
  name: "commit id ignored",
  caughtBy: "exactly once",
  breakPlace: (place) => withRequests(place, (request) => ({ ...request, id: randomUUID() })),
};
