import type { Change, SessionBackend } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Every change has the cursor of the newest one that was read, though that is not delivered yet. */
export const cursorSkipsUndelivered: Control = {
  name: "change cursor that skips undelivered changes",
  caughtBy: "feed resume",
  hangs: true,
  breakPlace: (place) => withBackend(place, (backend) => ({ watch: readAhead(backend) })),
};

/** Reads all available changes before it delivers them. */
function readAhead(backend: SessionBackend): SessionBackend["watch"] {
  return async function* watch(target, signal) {
    const changes = backend.watch(target, signal)[Symbol.asyncIterator]();
    let next = changes.next();
    for (;;) {
      const found: Change[] = [];
      for (let result = await next; ; result = await next) {
        if (result.done === true) return;
        found.push(result.value);
        next = changes.next();
        if (!(await isSettled(next))) break;
      }
      const cursor = found.at(-1)?.cursor ?? "";
      for (const change of found) yield { ...change, cursor };
    }
  };
}

/** Whether a promise settles within this turn of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol("pending");
  const turn = new Promise((resolve) => setImmediate(resolve, pending));
  return (await Promise.race([promise, turn])) !== pending;
}
