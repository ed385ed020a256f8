import type { Operation } from "./operation.js";

/** Opening and closing a store. */
export const openAndClose: readonly Operation[] = [
  {
    name: "open a new store",
    on: "nothing",
    reads: true,
    calls: [async ({ open }) => (await open()).sessionExists("s")],
  },
  {
    name: "open",
    reads: true,
    calls: [async ({ open }) => (await open()).sessionExists("s")],
  },
  {
    name: "close",
    reads: true,
    calls: [({ store }) => store.close()],
  },
];
