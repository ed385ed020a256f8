import { accessSync, constants } from "node:fs";

/** The code with which the system refuses writing to a folder, if it does. A folder that is missing can be made. */
export type WriteRefusal = (folder: string) => string | undefined;

/** Asks the operating system. */
export const nodeWriteRefusal: WriteRefusal = (folder) => {
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (["EACCES", "EPERM", "EROFS"].includes(code)) return code;
    if (code === "ENOENT") return undefined;
    throw error;
  }
};
