import { openSqliteStore, SessionError } from "@sessions/sqlite";
import Database from "better-sqlite3";

/** Opens a database as a user for whom modes count, writes to it if asked to, and says what came of it. */
const { path, write = false } = JSON.parse(process.argv[2]);
// First what this user may not be able to read: the modules, and the native part that the first connection loads.
new Database(":memory:").close();
if (process.getuid?.() === 0) {
  process.setgroups([]);
  process.setgid(65534);
  process.setuid(65534);
}

async function use() {
  const store = await openSqliteStore({ path });
  if (write) await store.addMessage("s", { role: "user", content: "two" });
  await store.close();
}

const outcome = await use().then(
  () => "done",
  (error) => (SessionError.is(error) ? error.toJSON() : String(error)),
);
process.send(outcome);
process.disconnect();
