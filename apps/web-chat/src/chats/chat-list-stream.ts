import { setTimeout as pause } from "node:timers/promises";
import type { SessionStore } from "@sessions/json-file";
import { type ChatListQuery, listChats } from "./list-chats.js";

/** How soon a page connects again to a server that went away. */
const RECONNECT_MS = 300;
/** An answer changes its chat ten times a second, and a page need not follow that. */
const PACE_MS = 500;
/** The lease of a dead process runs out without a change, so the list is read again after a while. */
const READ_AGAIN_MS = 2000;

/** The list of chats as server-sent events: at once, and again whenever it has changed. Ends with `signal`. */
export function chatListStream(store: SessionStore, query: ChatListQuery, signal: AbortSignal): Response {
  const left = new AbortController();
  const lists = changedLists(store, query, AbortSignal.any([signal, left.signal]));
  const body = new ReadableStream<string>({
    start: (events) => events.enqueue(`retry: ${RECONNECT_MS}\n\n`),
    async pull(events) {
      const { done, value } = await lists.next();
      if (done === true) events.close();
      else events.enqueue(`data: ${value}\n\n`);
    },
    cancel: () => left.abort(),
  });
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };
  return new Response(body.pipeThrough(new TextEncoderStream()), { headers });
}

async function* changedLists(
  store: SessionStore,
  query: ChatListQuery,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let sent = "";
  for await (const _ of readings(store, signal)) {
    const list = JSON.stringify(await listChats(store, query));
    if (list !== sent) yield list;
    sent = list;
    await pause(PACE_MS);
  }
}

/** When to read the list: at once, after every change, and after a while without one. */
async function* readings(
  store: SessionStore,
  signal: AbortSignal,
): AsyncGenerator<undefined, void, undefined> {
  const changes = store.watch({ signal })[Symbol.asyncIterator]();
  try {
    for (let change = nextOf(changes); ; ) {
      yield;
      const waited = new AbortController();
      const next = await Promise.race([change, pause(READ_AGAIN_MS, "later", { signal: waited.signal })]);
      waited.abort();
      if (next === "end") return;
      if (next === "change") change = nextOf(changes);
    }
  } finally {
    await changes.return?.();
  }
}

function nextOf(changes: AsyncIterator<unknown>): Promise<"change" | "end"> {
  const next = changes.next().then(({ done }): "change" | "end" => (done === true ? "end" : "change"));
  next.catch(() => undefined); // it may fail while the list is read: the next wait throws it
  return next;
}
