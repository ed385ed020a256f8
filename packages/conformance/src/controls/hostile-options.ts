import { type ListSessionsQuery, type Page, SessionError, type SessionSummary } from "@sessions/protocol";
import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

const KNOWN_OPTIONS = [
  "commitId",
  "ifRevision",
  "ifAbsent",
  "ifIdle",
  "fence",
  "fingerprint",
  "firstSentAt",
  "signal",
];

/** Ignores unknown options, so that a call with a misspelt commit id is not idempotent. */
export const unknownOptionsIgnored: Control = {
  name: "unknown options ignored",
  caughtBy: "hostile options",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      patchSession: async (id, patch, options = {}) => {
        const isPlain = typeof options === "object" && options?.constructor === Object;
        const known = Object.entries(isPlain ? options : {}).filter(([name]) => KNOWN_OPTIONS.includes(name));
        return store.patchSession(id, patch, isPlain ? Object.fromEntries(known) : options);
      },
    })),
};

/** Accepts `null` as options. */
export const nullOptionsAccepted: Control = {
  name: "null accepted as options",
  caughtBy: "hostile options",
  breakPlace: (place) =>
    withStore(place, (store) => ({ getSession: (id, options) => store.getSession(id, options ?? {}) })),
};

/** Reads the options before it returns its promise. */
export const optionsThrowAtOnce: Control = {
  name: "bad options thrown instead of rejected",
  caughtBy: "hostile options",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      getChildren: (id, options = {}) => store.getChildren(id, { signal: options.signal }),
    })),
};

/** Copies a list before it checks the length. */
export const lengthsNotChecked: Control = {
  name: "lists read before their length is checked",
  caughtBy: "hostile options",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      setChatHistory: async (id, messages, options) => {
        if (messages.length > 1e9) throw new RangeError("the kit's sparse list would take minutes");
        return store.setChatHistory(id, Array.from(messages), options);
      },
    })),
};

/** Lists from the start if a cursor is of another order. */
export const foreignCursorAccepted: Control = {
  name: "cursor of another order accepted",
  caughtBy: "hostile options",
  breakPlace: (place) =>
    withStore(place, (store) => {
      const page = async (query: ListSessionsQuery): Promise<Page<SessionSummary>> => {
        try {
          return await store.listSessions(query);
        } catch (error) {
          const isForeign = SessionError.is(error, "INVALID_ARGUMENT") && error.path === "query.cursor";
          if (!isForeign || typeof query.cursor !== "string") throw error;
          return store.listSessions({ ...query, cursor: undefined });
        }
      };
      return {
        listSessions: (query = {}) => ({
          // biome-ignore lint/suspicious/noThenProperty: a listing is awaited for one page
          then: (fulfilled, failed) => page(query).then(fulfilled, failed),
          [Symbol.asyncIterator]: () => store.listSessions(query)[Symbol.asyncIterator](),
        }),
      };
    }),
};
