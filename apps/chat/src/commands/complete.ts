import type { CompleterResult } from "node:readline";
import type { Chat } from "../chat.js";
import type { Command } from "./command.js";
import { COMMANDS } from "./commands.js";

/** What the tab key offers: names of commands, and behind a name what its argument can be. */
export async function complete(chat: Chat, line: string): Promise<CompleterResult> {
  const [, name, argument = ""] = /^(\/\S+)\s+(.*)$/s.exec(line) ?? [];
  if (name !== undefined) return [await suggestions(chat, name, argument), argument];
  return [line.startsWith("/") ? startingWith(line, COMMANDS.map(typed)) : [], line];
}

/** As it is typed: a space behind it where more may come. */
const typed = ({ name, takes }: Command): string => (takes === undefined ? name : `${name} `);

async function suggestions(chat: Chat, name: string, argument: string): Promise<string[]> {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  return startingWith(argument, (await command?.suggest?.(chat)) ?? []);
}

const startingWith = (beginning: string, words: readonly string[]): string[] =>
  words.filter((word) => word.startsWith(beginning));
