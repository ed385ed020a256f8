import type { OptionNames } from "@sessions/protocol/integration";
import type { Context, StorageAdapter } from "grammy";

/** Options of `sequentialize`. */
export interface SequentializeOptions<C extends Context> {
  /**
   * The keys of the sessions that the handlers of an update may write. `undefined`: none, and the update waits for no other.
   * @default the chat's id, which is grammY's default too
   */
  readonly key?:
    | ((ctx: C) => string | readonly string[] | undefined | Promise<string | readonly string[] | undefined>)
    | undefined;
  /** Separates the bots that share a store. Without a slash. @default "grammy" */
  readonly namespace?: string | undefined;
  /** How long an update waits for the updates before it; then TURN_BUSY. @default 60000 */
  readonly waitMs?: number | undefined;
  /** The lease of a turn: how long other updates wait after a crash. @default 30000 */
  readonly ttlMs?: number | undefined;
  /** How long `key`, and then the handlers of an update, may take; then TURN_LOST, and the next update is handled. @default 120000 */
  readonly deadlineMs?: number | undefined;
  /** Called with an update that was handled before, and is not handled again. */
  readonly onDuplicate?: ((ctx: C) => void) | undefined;
}

/** Options of `storage`. */
export interface StorageOptions<S> {
  /** Separates the sessions of one chat, if there are several: one for each part of a multi session. @default "" */
  readonly name?: string | undefined;
  /** The same as for `sequentialize`. @default "grammy" */
  readonly namespace?: string | undefined;
  /** The storage of the sessions so far: each session is copied when it is first read. */
  readonly importFrom?: Pick<StorageAdapter<S>, "read"> | undefined;
}

export const SEQUENTIALIZE_OPTIONS: OptionNames<SequentializeOptions<Context>> = {
  key: "function",
  namespace: true,
  waitMs: "count",
  ttlMs: "count",
  deadlineMs: "count",
  onDuplicate: "function",
};

export const STORAGE_OPTIONS: OptionNames<StorageOptions<unknown>> = {
  name: true,
  namespace: true,
  importFrom: "object",
};
