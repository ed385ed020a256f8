/**
 * The types of the store packages that this package uses, so that it can be built without them. `pnpm check:types` ignores this
 * file and checks the same sources against the packages.
 */
declare module "@sessions/json-file" {
  type Store = import("@sessions/protocol").SessionStore;
  export function openJsonFileStore(options: object): Promise<Store>;
}

declare module "@sessions/json-file/maintenance" {
  export function sessionFolders(options: {
    readonly root: string;
  }): Iterable<{ readonly folder: string; readonly sessionId?: string }>;
  export function salvageSession(options: {
    readonly root: string;
    readonly sessionId: string;
    readonly newId: string;
    readonly beyondDamage?: boolean;
  }): Promise<{
    readonly messages: number;
    readonly incarnation: string;
    readonly reached: number;
    readonly appliedBeyond: number;
    readonly leftOut: number;
    readonly lost: readonly {
      readonly revision: number;
      readonly commitId?: string;
      readonly reason: string;
    }[];
    readonly quarantine: string;
  }>;
  export function quarantined(options: { readonly root: string }): {
    readonly folder: string;
    readonly entries: readonly string[];
  };
  export function quarantineSession(options: {
    readonly root: string;
    readonly sessionId: string;
  }): Promise<string>;
}

declare module "@sessions/memory" {
  export type MemoryData = object;
  export function openMemoryStore(options: object): import("@sessions/protocol").SessionStore;
}

declare module "@sessions/sqlite" {
  export function openSqliteStore(options: object): Promise<import("@sessions/protocol").SessionStore>;
}

declare module "@sessions/sqlite/maintenance" {
  export function hasSearchIndex(options: object): Promise<boolean>;
  export function sessionIds(options: object): AsyncIterable<string>;
  export function salvageSession(options: {
    readonly path: string;
    readonly sessionId: string;
    readonly newId: string;
  }): Promise<{
    readonly messages: number;
    readonly lostMessages: number;
    readonly incarnation: string;
    readonly revision: number;
  }>;
  export function removeDamagedSession(options: {
    readonly path: string;
    readonly sessionId: string;
  }): Promise<void>;
}

declare module "@sessions/redis" {
  export type RedisClient = object;
  export function openRedisStore(
    location: object,
    options?: object,
  ): Promise<import("@sessions/protocol").SessionStore>;
}

declare module "@sessions/redis/maintenance" {
  interface IndexProblem {
    readonly partition: string;
    readonly problem: string;
  }
  export function sessionIds(location: object, options?: object): AsyncIterable<string>;
  export function checkIndex(location: object, options?: object): Promise<readonly IndexProblem[]>;
  export function repairIndex(
    location: object,
    options?: object,
  ): Promise<{
    readonly problems: readonly IndexProblem[];
    readonly entered: number;
    readonly damaged: readonly string[];
    readonly lost: readonly string[];
    readonly setAside: readonly string[];
  }>;
  export function setDamagedSessionAside(
    location: object,
    options: { readonly sessionId: string },
  ): Promise<readonly string[]>;
}
