import { withBackend } from "./with-backend.mjs";

/** Leaves out the first session of every page. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    async list(query) {
      const page = await backend.list(query);
      return { ...page, items: page.items.slice(1) };
    },
  }));
