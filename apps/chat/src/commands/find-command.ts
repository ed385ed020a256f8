import { UsageError } from "../usage-error.js";
import type { Command } from "./command.js";
import { COMMANDS } from "./commands.js";
import { editDistance } from "./edit-distance.js";

const ALIKE = 2;

/** A command and its argument. */
export interface Call {
  readonly command: Command;
  readonly argument: string;
}

/** The command of a line, or `undefined` if the line is a message. An unknown one is a UsageError with a suggestion. */
export function findCommand(line: string): Call | undefined {
  if (!line.startsWith("/")) return undefined;
  const [name = "", ...rest] = line.trim().split(/\s+/);
  const command = COMMANDS.find((candidate) => candidate.name === name.toLowerCase());
  if (command === undefined) throw unknown(name);
  return { command, argument: rest.join(" ") };
}

function unknown(name: string): UsageError {
  const [nearest] = COMMANDS.map((command) => ({
    name: command.name,
    away: editDistance(name, command.name),
  }))
    .filter((candidate) => candidate.away <= ALIKE || candidate.name.startsWith(name))
    .sort((one, other) => one.away - other.away);
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest.name}?`;
  return new UsageError(
    `There is no command ${name}.${hint} /help lists them; a message that begins with a slash needs a space before it.`,
  );
}
