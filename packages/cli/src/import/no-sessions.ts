import { CommandError, EXIT } from "../command/exit-code.js";

/** The error of an import that has found no session. */
export function noSessionsIn(path: string): CommandError {
  return new CommandError(
    `${path} holds no session that can be read as this kind. Nothing was imported.`,
    EXIT.notFound,
  );
}
