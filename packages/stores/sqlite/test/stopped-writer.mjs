/** Stops itself (SIGSTOP) in the middle of a transaction, and goes on when it is woken. */

import { openSqliteStore } from "@sessions/sqlite";
import Database from "better-sqlite3";

const { path } = JSON.parse(process.argv[2]);
const db = new Database(path);
let armed = false;
// Called by SQLite while a row is written: the write lock is held then.
db.function("stop_here", () => {
  if (armed) process.kill(process.pid, "SIGSTOP");
  armed = false;
  return 1;
});
const store = await openSqliteStore({ database: db });
db.exec("CREATE TEMP TRIGGER stop_here AFTER INSERT ON main.messages BEGIN SELECT stop_here(); END");
armed = true;
const { revision } = await store.addMessage("s", { id: "sleeper", role: "user", content: "zzz" });
process.send({ revision });
await store.close();
process.disconnect();
