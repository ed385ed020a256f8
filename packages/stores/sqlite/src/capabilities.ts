import type { Capabilities } from "@sessions/protocol";

/** What the store can do when it was opened without its search index. */
export const WITHOUT_SEARCH: Capabilities = {
  groupCommit: "store",
  durable: { supported: true },
  multiProcess: { supported: true },
  independentWriters: {
    supported: false,
    reason:
      "SQLite has one writer at a time: while one stands still in a transaction, the others wait until their deadline.",
  },
  search: { supported: false, reason: "The store was opened without `search: true`." },
};
