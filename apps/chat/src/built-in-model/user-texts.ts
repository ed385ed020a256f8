import { type Message, textOf } from "@sessions/json-file";

/** What the user has said, in order. */
export const userTexts = (messages: readonly Message[]): readonly string[] =>
  messages.filter(({ role }) => role === "user").map((message) => textOf(message).trim());
