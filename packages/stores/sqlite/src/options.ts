import { type OptionNames, STORE_OPTIONS, type StoreOptions } from "@sessions/protocol/backend";

/** What is needed of a better-sqlite3 `Database`. */
export interface SqliteDatabase {
  readonly name: string;
  readonly open: boolean;
  readonly memory: boolean;
  readonly readonly: boolean;
  prepare(source: string): unknown;
  pragma(source: string): unknown;
}

/** Where the database is. */
export type SqliteLocation =
  | {
      /** The file. It is made if need be. */
      readonly path: string;
      readonly database?: undefined;
    }
  | {
      readonly path?: undefined;
      /** A connection that is open already, to a database of the store's own. It is not closed with the store. */
      readonly database: SqliteDatabase;
    };

/** How a database is opened. */
export type SqliteStoreOptions = StoreOptions &
  SqliteLocation & {
    /**
     * Whether messages can be searched. It costs room, and time with every message. A database that was made without is
     * indexed when it is first opened with it.
     * @default false
     */
    readonly search?: boolean | undefined;
    /**
     * How long a call waits for other writers before it fails with STORE_BUSY, in milliseconds.
     * @default 10000
     */
    readonly deadlineMs?: number | undefined;
    /**
     * How much of the messages is kept in memory, by the length of their JSON.
     * @default 16777216
     */
    readonly cacheBytes?: number | undefined;
    /**
     * How often the sweep looks for what has expired and what nobody holds any more, in milliseconds. 0: never.
     * @default 60000
     */
    readonly sweepIntervalMs?: number | undefined;
  };

export const SQLITE_STORE_OPTIONS: OptionNames<SqliteStoreOptions> = {
  ...STORE_OPTIONS,
  path: "text",
  database: "object",
  search: "boolean",
  deadlineMs: "count",
  cacheBytes: "count",
  sweepIntervalMs: "count",
};
