import type { JsonFileWarning } from "./warning.js";

/** A caller's hook. It may be asynchronous, whatever its type says. */
type WarningHook = (warning: JsonFileWarning) => unknown;

/** The warnings of a store. Each is given once: a doorbell file that fails would fail with every commit. */
export class Warnings {
  readonly #hook: WarningHook | undefined;
  readonly #given = new Map<string, JsonFileWarning>();

  constructor(hook?: WarningHook) {
    this.#hook = hook;
  }

  /** All that were given, as sentences. */
  get messages(): readonly string[] {
    return [...this.#given.values()].map((warning) => warning.message);
  }

  /** Never throws: the caller's work has succeeded. */
  give(warning: JsonFileWarning): void {
    const key = `${warning.code} ${warning.path ?? ""}`;
    if (this.#given.has(key)) return;
    this.#given.set(key, warning);
    try {
      const result = this.#hook?.(warning);
      if (result instanceof Promise) result.catch((error: unknown) => this.#hookFailed(error));
    } catch (error) {
      this.#hookFailed(error);
    }
  }

  /** Kept for `describe()` only: the hook would fail again. */
  #hookFailed(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#given.set("HOOK_FAILED", { code: "HOOK_FAILED", message: `onWarning failed: ${reason}`, cause });
  }
}
