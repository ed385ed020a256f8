import { hasCode } from "./error-mapping.js";

/** Lets a prepared statement that meets damage run once more, as `rereading` does. */
export function rereadDamage(statement: object): void {
  for (const method of ["get", "all", "run"]) {
    const call: unknown = Reflect.get(statement, method);
    if (typeof call !== "function") throw new TypeError(`a statement without ${method}()`);
    const value = (...parameters: unknown[]): unknown => rereading(() => call.apply(statement, parameters));
    Object.defineProperty(statement, method, { value });
  }
}

/**
 * Reads again what seems to be damaged. SQLite calls a page that the disk could not read (EIO) a damaged one. A damaged
 * page stays damaged, a failing disk may recover, and only one of them is SESSION_CORRUPTED.
 */
export function rereading<Result>(attempt: () => Result): Result {
  try {
    return attempt();
  } catch (error) {
    if (!hasCode(error, "SQLITE_CORRUPT")) throw error;
    return attempt();
  }
}
