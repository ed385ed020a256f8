import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Ignores `ifRevision`. */
export const preconditionIgnored: Control = {
  name: "precondition ignored",
  caughtBy: "revisions and preconditions",
  breakPlace: (place) => withRequests(place, ({ ifRevision: _ifRevision, ...request }) => request),
};
