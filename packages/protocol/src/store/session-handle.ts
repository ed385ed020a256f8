import type { SessionStore } from "./session-store.js";

/** The methods of a store that begin with a session id. */
type SessionMethod =
  | "createSession"
  | "getSession"
  | "getMessages"
  | "sessionExists"
  | "patchSession"
  | "deleteSession"
  | "addMessage"
  | "getChatHistory"
  | "setChatHistory"
  | "updateMessage"
  | "removeMessages"
  | "popMessage"
  | "clearSession"
  | "updateSessionMetadata"
  | "incrementCounters"
  | "forkSession"
  | "getChildren"
  | "getParent"
  | "getSessionTree"
  | "createSnapshot"
  | "listSnapshots"
  | "revertToSnapshot"
  | "revertToMessage"
  | "dropSnapshot"
  | "exportSession"
  | "archiveMessages"
  | "settleArchive"
  | "listArchives"
  | "getArchive"
  | "getContext"
  | "runTurn"
  | "beginTurn"
  | "interruptTurn"
  | "commit"
  | "updateSession"
  | "verify";

type WithoutId<Method> = Method extends (id: string, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** One session of a store: the store's methods without the id. Making one does no I/O. */
export type SessionHandle = { readonly id: string } & {
  readonly [Method in SessionMethod]: WithoutId<SessionStore[Method]>;
} & {
  readonly watch: (options?: {
    readonly since?: number;
    readonly signal?: AbortSignal;
  }) => ReturnType<SessionStore["watch"]>;
};
