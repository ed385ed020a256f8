import { checksum } from "../../src/checksum.js";
import { firstRow } from "../../src/row-number.js";
import { sessionChecksum } from "../../src/session-reader.js";
import type { MessageRow, SessionRow } from "../../src/statements.js";
import { altered } from "../temporary.js";
import type { Twin } from "./twin.js";

/** Another process writes, so that this one reads the session again. */
export async function elsewhere(twin: Twin): Promise<void> {
  altered(twin.path, (db) =>
    db.prepare("INSERT OR REPLACE INTO store (name, value) VALUES ('elsewhere', ?)").run(twin.name("write")),
  );
  await twin.document();
}

/** Moves the messages of the session to the end of its log, as if it had had 67 million. */
export async function toBrim({ path }: Twin, left: number): Promise<void> {
  altered(path, (db) => {
    const session = db.prepare<[], SessionRow>("SELECT * FROM sessions WHERE id = 's'").get();
    if (session === undefined) return;
    const shift = firstRow(session.log + 1) - left - session.next_row;
    const messages = db
      .prepare<[], MessageRow>("SELECT row, revision, crc, id, body FROM messages ORDER BY row DESC")
      .raw()
      .all();
    const move = db.prepare("UPDATE messages SET row = ?, crc = ? WHERE row = ?");
    for (const [row, revision, , id, body] of messages)
      move.run(row + shift, checksum(row + shift, id, revision, body), row);
    const state = session.state.replace(/\d+(?=[,\]])/g, (digits) =>
      Number(digits) < firstRow(1) || Number(digits) > firstRow(3) ? digits : String(Number(digits) + shift),
    );
    const moved = { ...session, next_row: session.next_row + shift, state };
    db.prepare(
      "UPDATE sessions SET next_row = ?, state = ?, crc = ?, version = version + 1 WHERE id = 's'",
    ).run(moved.next_row, state, sessionChecksum(moved));
  });
}
