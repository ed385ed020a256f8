import { CommandError, EXIT } from "../command/exit-code.js";

/** The failure of an import that found nothing to import. */
export function noSessionsIn(path: string): CommandError {
  return new CommandError(`${path} holds no sessions of that kind.`, EXIT.notFound);
}
