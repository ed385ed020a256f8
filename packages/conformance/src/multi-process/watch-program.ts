/**
 * A program that only watches a store: `node watch-program.js <WatchProgramArguments as JSON>`. It does not read its stdin, because
 * that would keep it alive. It ends its watch at the first change, in one of three ways; then nothing keeps it alive.
 */
import { SessionError, type SessionStore } from "@sessions/protocol";
import type { WatchProgramArguments } from "./watching-process.js";

/** Much longer than a store takes to begin a watch. */
const STILL_THERE_MS = 300;

async function watch(store: SessionStore, end: WatchProgramArguments["end"]): Promise<void> {
  const controller = new AbortController();
  for await (const { sessionId } of store.watch({ signal: controller.signal })) {
    process.stdout.write(`change of ${sessionId}\n`);
    if (end === "return()") break;
    if (end === "signal") controller.abort();
    // Not awaited: the store must close while the loop waits for the next change.
    if (end === "close()") void store.close();
  }
}

const { how, end }: WatchProgramArguments = JSON.parse(process.argv[2] ?? "");
const { open }: { readonly open: (argument: unknown) => Promise<SessionStore> } = await import(how.module);
const store = await open(how.argument);
// Unreferenced: it fires only if something else keeps the process alive.
setTimeout(() => process.stdout.write("still there\n"), STILL_THERE_MS).unref();
await watch(store, end).catch((error: unknown) => {
  if (end !== "close()" || !SessionError.is(error, "STORE_CLOSED")) throw error;
});
await store.close();
