import type { SessionStore } from "@sessions/protocol";
import type { OpenOptions } from "./open-options.js";
import { resolveStore } from "./resolve-store.js";
import type { StoreTarget } from "./store-target.js";

/**
 * Opens a store: that of `target`, else of SESSIONS_STORE, else of the nearest `sessions.config.{ts,js,json}`, else the folder
 * `./sessions`, with a notice.
 *
 * @example
 * ```ts
 * const store = await openStore("sqlite:./sessions.db?search=true");
 * await store.addMessage("user-42", { role: "user", content: "Hello." });
 * ```
 */
export async function openStore(target?: StoreTarget, options: OpenOptions = {}): Promise<SessionStore> {
  return (await resolveStore(target, options)).open();
}
