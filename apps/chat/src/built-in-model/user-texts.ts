import { type Message, textOf } from "@sessions/json-file";

/** The texts of the user, in order. */
export const userTexts = (messages: readonly Message[]): readonly string[] =>
  messages.filter(({ role }) => role === "user").map((message) => textOf(message).trim());
