import { withBackend } from "./faulty.mjs";

/** Its listings leave out one session of a page. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    async list(query) {
      const page = await backend.list(query);
      return { ...page, items: page.items.slice(1) };
    },
  }));
