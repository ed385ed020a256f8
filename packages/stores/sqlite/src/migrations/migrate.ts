import { randomUUID } from "node:crypto";
import type Database from "better-sqlite3";
import { foreignDatabase, newerFormat } from "../error-mapping.js";
import { MIGRATIONS, type Migration, SCHEMA_VERSION } from "./migrations.js";

/** "sess" in ASCII: whose database this is. */
const APPLICATION_ID = 0x73657373;

/**
 * Brings a database to the present schema, or makes one. All in one transaction: a process that is killed in the middle
 * leaves the database as it was.
 */
export function migrate(db: Database.Database, migrations: readonly Migration[] = MIGRATIONS): void {
  const supported = migrations.at(-1)?.version ?? SCHEMA_VERSION;
  if (versionOf(db, supported) === supported) return;
  // Asked again inside: somebody else may have migrated it while this process waited.
  db.transaction(() => {
    const found = versionOf(db, supported);
    for (const { version, sql } of migrations) if (version > found) db.exec(sql);
    if (found === 0) establish(db);
    db.pragma(`user_version = ${supported}`);
  }).immediate();
}

function versionOf(db: Database.Database, supported: number): number {
  const version = Number(db.pragma("user_version", { simple: true }));
  const owner = Number(db.pragma("application_id", { simple: true }));
  if (owner !== APPLICATION_ID && !isEmpty(db)) throw foreignDatabase(db.name);
  if (version > supported) throw newerFormat(version, supported);
  return version;
}

function isEmpty(db: Database.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

function establish(db: Database.Database): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  // Names this store in the cursors of its feed, so that those of another one are refused.
  db.prepare("INSERT INTO store (name, value) VALUES ('id', ?)").run(randomUUID());
}
