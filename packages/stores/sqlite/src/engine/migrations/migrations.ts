import { VERSION_3 } from "./version-3.js";

/** The SQL that makes the schema of `version` out of the one before. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** All of them, in order. A released migration never changes. Databases of versions 1 and 2 were never released. */
export const MIGRATIONS: readonly Migration[] = [{ version: 3, sql: VERSION_3 }];

/** The version that this package writes. */
export const SCHEMA_VERSION = 3;
