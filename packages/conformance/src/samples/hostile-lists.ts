import type { SessionStore } from "@sessions/protocol";
import { append, extend, remove, splice } from "@sessions/protocol";
import { emptyDocument } from "./empty-document.js";
import { user } from "./messages.js";
import { untyped } from "./untyped.js";

/** After this many reads the list throws, because reading it to the end would take minutes. */
const MAX_READS = 10_000;
const CLAIMED_LENGTH = 1e9;

/** A list that claims to have 10⁹ items, and the number of items that were read. */
export interface EndlessList {
  readonly list: readonly unknown[];
  readonly reads: () => number;
}

/** A proxy of an array that claims to have `item` 10⁹ times. `lengths`: the lengths that it returns first. */
export function endlessList(item: unknown, lengths: readonly number[] = []): EndlessList {
  const left = [...lengths];
  let reads = 0;
  const read = (): unknown => {
    reads++;
    if (reads > MAX_READS) throw new Error("the whole list is read");
    return item;
  };
  const list = new Proxy([], {
    get(target, key) {
      if (key === "length") return left.shift() ?? CLAIMED_LENGTH;
      return typeof key === "string" && /^\d+$/.test(key) ? read() : Reflect.get(target, key);
    },
    has: (target, key) => (typeof key === "string" && /^\d+$/.test(key)) || Reflect.has(target, key),
  });
  return { list, reads: () => reads };
}

type Call = (store: SessionStore, list: never) => PromiseLike<unknown>;

/** A call that takes a list, and a valid item of that list. */
export interface ListPosition {
  readonly item: unknown;
  readonly call: Call;
}

const message = user("x");

/** Every argument that can contain a list, in calls on session "s". */
export const listPositions: Readonly<Record<string, ListPosition>> = {
  "messages to add": { item: message, call: (store, list) => store.addMessage("s", list) },
  "messages to add, with options": {
    item: message,
    call: (store, list) => store.addMessage("s", list, { commitId: "c" }),
  },
  "parts of a message": {
    item: { type: "text", text: "x" },
    call: (store, list) => store.addMessage("s", { role: "user", content: list }),
  },
  "an array deep in a message": {
    item: 1,
    call: (store, list) => store.addMessage("s", { role: "user", content: "x", metadata: { a: [list] } }),
  },
  "a new history": { item: message, call: (store, list) => store.setChatHistory("s", list) },
  "messages of a new session": {
    item: message,
    call: (store, list) => store.createSession("new", { messages: list }),
  },
  "a message to update": {
    item: { type: "text", text: "x" },
    call: (store, list) => store.updateMessage("s", "m1", { role: "user", content: list }),
  },
  "ids to read": { item: "m1", call: (store, list) => store.getMessages("s", list) },
  "ids to remove": { item: "m1", call: (store, list) => store.removeMessages("s", list) },
  "roles of a history": { item: "user", call: (store, list) => store.getChatHistory("s", { roles: list }) },
  "metadata keys of a list": { item: "a", call: (store, list) => store.listSessions({ metadata: list }) },
  "a metadata value": { item: 1, call: (store, list) => store.updateSessionMetadata("s", { a: list }) },
  "a fingerprint": {
    item: 1,
    call: (store, list) => store.clearSession("s", { commitId: "c", fingerprint: list }),
  },
  "messages of a turn": { item: message, call: (store, list) => store.beginTurn("s", { messages: list }) },
  operations: { item: { op: "delete" }, call: (store, list) => store.commit("s", list) },
  "messages of an operation": { item: message, call: (store, list) => store.commit("s", append(list)) },
  "messages of a splice": { item: message, call: (store, list) => store.commit("s", splice(0, list)) },
  "ids of an operation": { item: "m1", call: (store, list) => store.commit("s", remove(list)) },
  "parts of an operation": {
    item: { type: "text", text: "x" },
    call: (store, list) => store.commit("s", extend("m1", { parts: list })),
  },
  "computed operations": {
    item: { op: "delete" },
    call: (store, list) => store.updateSession("s", () => list),
  },
  "messages of a bundle": {
    item: message,
    call: (store, list) =>
      store.importSession(
        untyped({
          format: "sessions-bundle",
          version: 1,
          sessionId: "new",
          session: { ...emptyDocument(), messages: list },
        }),
      ),
  },
};
