import { withBackend } from "./with-backend.mjs";

/** Ignores the cursor of a watcher, which receives only later changes. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    watch: ({ since: _, ...target }, signal) => backend.watch(target, signal),
  }));
