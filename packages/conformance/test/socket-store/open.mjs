import { createStore } from "@sessions/protocol/backend";
import { connectBackend } from "./socket-backend.mjs";

/** What the kit's worker imports. */
export async function open(argument) {
  return createStore(await connectBackend(argument));
}
