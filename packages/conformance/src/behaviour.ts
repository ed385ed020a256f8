import type { Case, Guarantee } from "./case.js";

/** Makes a case. */
export function behaviour(
  name: string,
  guarantees: readonly Guarantee[],
  run: Case["run"],
  options: Pick<Case, "timeoutMs" | "applies"> = {},
): Case {
  return { name, guarantees, run, ...options };
}
