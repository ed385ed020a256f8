import { VERSION_1 } from "./version-1.js";
import { VERSION_2 } from "./version-2.js";

/** Says in SQL how the schema of the version before becomes that of `version`. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** All of them, in order. What stands here was released and never changes. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, sql: VERSION_1 },
  { version: 2, sql: VERSION_2 },
];

/** The version that this package writes. */
export const SCHEMA_VERSION = 2;
