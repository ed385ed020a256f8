import { CommandError, EXIT } from "../command/exit-code.js";
import type { NewFile } from "../new-file.js";
import { isClosedPipe } from "../terminal/closed-pipe.js";
import type { Terminal } from "../terminal/terminal.js";

/** Standard output as a target. Nothing can be removed from it: a backup without its last line is one that was not finished. */
export function outputTarget(terminal: Terminal): NewFile {
  return {
    async write(text) {
      try {
        await terminal.write(text);
      } catch (error) {
        if (!isClosedPipe(error)) throw error;
        const message = "The program that reads the backup has ended. The backup is not complete.";
        throw new CommandError(message, EXIT.failed, { cause: error });
      }
    },
    finish: async () => undefined,
    abandon: async () => undefined,
  };
}
