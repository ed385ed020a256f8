import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJsonFileStore, type Session } from "@sessions/json-file";
import { onTestFinished } from "vitest";

/** A folder for conversations, for the length of a test. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "chat-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What is stored of the conversations, the newest first. */
export async function storedSessions(folder: string): Promise<readonly Session[]> {
  await using store = await openJsonFileStore({ root: folder, readOnly: true });
  const sessions: Session[] = [];
  for await (const { id } of store.listSessions({ labels: { agent: "chat" } })) {
    const session = await store.getSession(id);
    if (session !== undefined) sessions.push(session);
  }
  return sessions;
}

/** The one conversation that there is. */
export async function storedSession(folder: string): Promise<Session> {
  const [session, ...others] = await storedSessions(folder);
  if (session === undefined || others.length > 0)
    throw new Error(`There are ${others.length + 1} or no conversations.`);
  return session;
}
