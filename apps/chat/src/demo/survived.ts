import { type Message, openJsonFileStore, type Session, textOf } from "@sessions/json-file";

/** What the user has seen before the kill. */
interface Seen {
  readonly note: string;
  readonly question: string;
  /** As much of the answer as was shown. */
  readonly shown: string;
}

/** Reads the conversation from its folder, and tells what survived. Throws if anything is lost or doubled that may not be. */
export async function survived(folder: string, { note, question, shown }: Seen): Promise<string> {
  const session = await onlyConversation(folder);
  const asked = session.messages.filter((message) => message.role === "user" && textOf(message) === question);
  expectTrue(asked.length === 1, `The question is stored ${asked.length} times.`);
  expectTrue(JSON.stringify(session.metadata).includes(note), "The note is lost.");
  const saved = partOf(session.messages[session.messages.findIndex(({ id }) => id === asked[0]?.id) + 1]);
  // What was saved in the moment of the kill may not have been shown any more.
  expectTrue(shown.startsWith(saved) || saved.startsWith(shown), "The saved part is not what was shown.");
  return [
    "What survived the kill -9: the note, the question, stored once, and",
    `${saved.length} of the ${Math.max(shown.length, saved.length)} characters of the answer. An answer is saved twice a second while it is streamed.`,
  ].join(" ");
}

function partOf(answer: Message | undefined): string {
  expectTrue(answer?.status === "interrupted", "The answer is not marked as interrupted.");
  return answer === undefined ? "" : textOf(answer);
}

async function onlyConversation(folder: string): Promise<Session> {
  await using store = await openJsonFileStore({ root: `${folder}/.sessions/chat`, readOnly: true });
  const sessions: Session[] = [];
  for await (const { id } of store.listSessions({ labels: { agent: "chat" } })) {
    const session = await store.getSession(id);
    if (session !== undefined) sessions.push(session);
  }
  const [session, ...others] = sessions;
  if (session === undefined || others.length > 0) throw new Error("There is not one conversation.");
  return session;
}

function expectTrue(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(`${otherwise} This is a bug: please report it.`);
}
