import { stat } from "node:fs/promises";
import { CommandError, EXIT } from "../command/exit-code.js";

/** Throws if there is no file or folder of this path. Returns whether it is a folder. */
export async function requireThere(path: string): Promise<{ readonly isFolder: boolean }> {
  try {
    return { isFolder: (await stat(path)).isDirectory() };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    throw new CommandError(`There is no file or folder ${path}.`, EXIT.notFound, { cause: error });
  }
}
