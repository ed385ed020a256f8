import type { CompleterResult } from "node:readline";
import type { Chat } from "../chat.js";
import type { Command } from "./command.js";
import { COMMANDS } from "./commands.js";

/** The completions of a line: names of commands, and arguments after a name. */
export async function complete(chat: Chat, line: string): Promise<CompleterResult> {
  const [, name, argument = ""] = /^(\/\S+)\s+(.*)$/s.exec(line) ?? [];
  if (name !== undefined) return [await suggestions(chat, name, argument), argument];
  return [line.startsWith("/") ? startingWith(line, COMMANDS.map(typed)) : [], line];
}

/** The name as it is typed, with a space after it if it takes an argument. */
const typed = ({ name, takes }: Command): string => (takes === undefined ? name : `${name} `);

async function suggestions(chat: Chat, name: string, argument: string): Promise<string[]> {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  return startingWith(argument, (await command?.suggest?.(chat)) ?? []);
}

const startingWith = (beginning: string, words: readonly string[]): string[] =>
  words.filter((word) => word.startsWith(beginning));
