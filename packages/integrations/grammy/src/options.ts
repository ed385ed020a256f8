import type { OptionNames } from "@sessions/protocol/integration";
import type { Context, StorageAdapter } from "grammy";

/** How updates are put in order. */
export interface SequentializeOptions<C extends Context> {
  /**
   * What an update belongs to: the session keys that its handlers may write. `undefined`: nothing, it just runs.
   * @default the chat's id, as grammY's sessions have it
   */
  readonly key?:
    | ((ctx: C) => string | readonly string[] | undefined | Promise<string | readonly string[] | undefined>)
    | undefined;
  /** Tells the bots apart that share a store. Without a slash. @default "grammy" */
  readonly namespace?: string | undefined;
  /** How long an update waits for those before it, then TURN_BUSY. @default 60000 */
  readonly waitMs?: number | undefined;
  /** How long others wait after a crash. @default 30000 */
  readonly ttlMs?: number | undefined;
  /** How long `key`, and then the handlers of an update, may take; then TURN_LOST, and others go on. @default 120000 */
  readonly deadlineMs?: number | undefined;
  /** Told of an update that had been handled before: it is not handled again. */
  readonly onDuplicate?: ((ctx: C) => void) | undefined;
}

/** Where a bot's sessions are kept. */
export interface StorageOptions<S> {
  /** Tells the sessions of one chat apart, if there are several: one for each part of a multi session. @default "" */
  readonly name?: string | undefined;
  /** The same as that of `sequentialize`. @default "grammy" */
  readonly namespace?: string | undefined;
  /** Where the sessions were before: each is taken over when it is first needed. */
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
