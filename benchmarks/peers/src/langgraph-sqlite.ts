import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { documents } from "./documents.js";
import type { ChatMessage, Peer } from "./keeper.js";
import { versionOf } from "./version-of.js";

const METADATA = { source: "update", step: 0, parents: {} } as const;

/** A row in SQLite for each state of a conversation. Only the last one is read. */
export const langGraphSqlite: Peer = {
  name: `LangGraph's SqliteSaver ${versionOf("@langchain/langgraph-checkpoint-sqlite")}`,
  engine: "folder",
  writes: "each message",
  async open(folder) {
    const { emptyCheckpoint } = await import("@langchain/langgraph-checkpoint");
    const { SqliteSaver } = await import("@langchain/langgraph-checkpoint-sqlite");
    /** Ids are ordered by time. The latest state is read. */
    const checkpointOf = (messages: readonly ChatMessage[]) => ({
      ...emptyCheckpoint(),
      channel_values: { messages },
      channel_versions: { messages: messages.length },
    });
    const db = openedFull(folder);
    const saver = new SqliteSaver(db);
    return documents({
      async read(id) {
        const tuple = await saver.getTuple(thread(id));
        return tuple === undefined ? undefined : messagesIn(tuple.checkpoint.channel_values["messages"]);
      },
      write: (id, messages) => saver.put(thread(id), checkpointOf(messages), METADATA),
      async [Symbol.asyncDispose]() {
        db.close();
      },
    });
  },
};

/** As durable as our own store: the saver takes WAL itself, and would leave NORMAL, which can lose commits with the power. */
function openedFull(folder: string): Database.Database {
  mkdirSync(folder, { recursive: true });
  const db = new Database(join(folder, "checkpoints.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  return db;
}

function thread(id: string) {
  return { configurable: { thread_id: id, checkpoint_ns: "" } };
}

function messagesIn(value: unknown): readonly ChatMessage[] {
  if (!Array.isArray(value)) throw new Error("a checkpoint without messages");
  return value;
}
