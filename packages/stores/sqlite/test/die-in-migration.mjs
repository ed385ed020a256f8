/** Is killed in the middle of a migration. */
import Database from "better-sqlite3";
import { migrate } from "../dist/engine/migrations/migrate.js";
import { MIGRATIONS } from "../dist/engine/migrations/migrations.js";

const { path, sql } = JSON.parse(process.argv[2]);
const db = new Database(path);
db.function("die", () => process.kill(process.pid, "SIGKILL"));
db.pragma("journal_mode = WAL");
migrate(db, [...MIGRATIONS, { version: MIGRATIONS.at(-1).version + 1, sql: `${sql}; SELECT die();` }]);
