import type { Change } from "../backend/change.js";
import type { SessionMethods } from "./session-methods.js";

type WithoutId<Method> = Method extends (id: string, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

type Methods = { readonly [Method in keyof SessionMethods]: WithoutId<SessionMethods[Method]> };

/** One session of a store: the store's methods without the id. Making one does no I/O. */
export interface SessionHandle extends Methods {
  readonly id: string;
  /** This session's changes as they happen. */
  watch(options?: {
    readonly since?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  }): AsyncIterable<Change>;
}
