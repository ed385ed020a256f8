import type { JsonFileWarning } from "../warning.js";

/** The warning for a file that is not needed any more and could not be removed. */
export function leftovers(path: string, cause: unknown): JsonFileWarning {
  const message = `${path} is not needed any more and could not be removed (see the cause). It only takes room; the store tries again later.`;
  return { code: "LEFTOVERS", message, path, cause };
}
