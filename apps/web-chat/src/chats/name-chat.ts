import { type SessionStore, set } from "@sessions/json-file";
import type { UIMessage } from "ai";
import { textOf } from "../text-of.js";

const CHARACTERS = 60;

/** Gives a chat without a title the beginning of its first question. Never replaces a title. */
export async function nameChat(
  store: SessionStore,
  sessionId: string,
  messages: readonly UIMessage[],
): Promise<void> {
  const title = titleFor(messages.map((message) => (message.role === "user" ? textOf(message) : "")));
  if (title === undefined) return;
  const name = set({ title });
  // A computed change: a title that was given meanwhile stays.
  await store.updateSession(
    sessionId,
    (session) => (session === undefined || session.title !== undefined ? undefined : name),
    { messages: "none" },
  );
}

/** The beginning of the first text that says something. Counted in code points, so that no character is cut in half. */
function titleFor(texts: readonly string[]): string | undefined {
  const [first] = texts.map((text) => text.trim().replace(/\s+/g, " ")).filter((text) => text !== "");
  const characters = [...(first ?? "")];
  if (characters.length <= CHARACTERS) return first;
  return `${characters
    .slice(0, CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}
