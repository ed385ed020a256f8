import { randomUUID } from "node:crypto";
import type Database from "better-sqlite3";
import { foreignDatabase, newerFormat, unreleasedFormat } from "../../error-mapping.js";
import { MIGRATIONS, type Migration } from "./migrations.js";

/** "sess" in ASCII: whose database this is. */
const APPLICATION_ID = 0x73657373;

/**
 * Brings a database to the present schema, or makes one. All in one transaction: a process that is killed in the middle
 * leaves the database as it was.
 */
export function migrate(db: Database.Database, migrations: readonly Migration[] = MIGRATIONS): void {
  const supported = migrations.at(-1)?.version ?? 0;
  if (versionOf(db, migrations) === supported) return;
  // Read again inside: another process may have migrated it while this one waited.
  db.transaction(() => {
    const found = versionOf(db, migrations);
    for (const { version, sql } of migrations) if (version > found) db.exec(sql);
    if (found === 0) establish(db);
    db.pragma(`user_version = ${supported}`);
  }).immediate();
}

function versionOf(db: Database.Database, migrations: readonly Migration[]): number {
  const version = Number(db.pragma("user_version", { simple: true }));
  const owner = Number(db.pragma("application_id", { simple: true }));
  if (owner !== APPLICATION_ID && !isEmpty(db)) throw foreignDatabase(db.name);
  const [oldest, newest] = [migrations.at(0)?.version ?? 0, migrations.at(-1)?.version ?? 0];
  if (version > newest) throw newerFormat(version, newest);
  if (version > 0 && version < oldest) throw unreleasedFormat(db.name, version, newest);
  return version;
}

function isEmpty(db: Database.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

function establish(db: Database.Database): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  // Names this store in the cursors of its feed, so that those of another one are recognised.
  db.prepare("INSERT INTO store (name, value) VALUES ('id', ?)").run(randomUUID());
}
