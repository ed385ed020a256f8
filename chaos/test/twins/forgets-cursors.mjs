import { withBackend } from "./faulty.mjs";

/** A watcher that resumes is given only what happens from now on. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    watch: ({ since: _, ...target }, signal) => backend.watch(target, signal),
  }));
