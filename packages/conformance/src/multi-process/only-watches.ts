/**
 * A program that does nothing but watch a store: `node only-watches.js <Watching as JSON>`. It does not read its stdin, because that
 * would keep it alive. It ends its watch at the first change, in one of three ways, and has nothing to do then.
 */
import { SessionError, type SessionStore } from "@sessions/protocol";
import type { Watching } from "./watching-process.js";

/** Long after the first look at a store. */
const STILL_THERE_MS = 300;

async function watch(store: SessionStore, end: Watching["end"]): Promise<void> {
  const leaving = new AbortController();
  for await (const { sessionId } of store.watch({ signal: leaving.signal })) {
    process.stdout.write(`change of ${sessionId}\n`);
    if (end === "return()") break;
    if (end === "signal") leaving.abort();
    // Not awaited: the next change is waited for when the store closes.
    if (end === "close()") void store.close();
  }
}

const { how, end }: Watching = JSON.parse(process.argv[2] ?? "");
const { open }: { readonly open: (argument: unknown) => Promise<SessionStore> } = await import(how.module);
const store = await open(how.argument);
// Fires only in a process that something else keeps alive.
setTimeout(() => process.stdout.write("still there\n"), STILL_THERE_MS).unref();
await watch(store, end).catch((error: unknown) => {
  if (end !== "close()" || !SessionError.is(error, "STORE_CLOSED")) throw error;
});
await store.close();
