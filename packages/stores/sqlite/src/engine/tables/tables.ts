import type Database from "better-sqlite3";
import { LabelsTable } from "./labels-table.js";
import { LogsTable } from "./logs-table.js";
import { MemoriesTable } from "./memories-table.js";
import { MessageIds } from "./message-ids.js";
import { MessagesTable } from "./messages-table.js";
import { PartsTable } from "./parts-table.js";
import { SessionsTable } from "./sessions-table.js";

/** The tables of a database. */
export class Tables {
  readonly sessions: SessionsTable;
  readonly labels: LabelsTable;
  readonly parts: PartsTable;
  readonly logs: LogsTable;
  readonly messages: MessagesTable;
  readonly messageIds: MessageIds;
  readonly memories: MemoriesTable;

  constructor(db: Database.Database) {
    this.sessions = new SessionsTable(db);
    this.labels = new LabelsTable(db);
    this.parts = new PartsTable(db);
    this.logs = new LogsTable(db);
    this.messages = new MessagesTable(db);
    this.messageIds = new MessageIds(db);
    this.memories = new MemoriesTable(db);
  }
}
