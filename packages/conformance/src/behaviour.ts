import type { Case, Guarantee } from "./case.js";

/** A case in one breath: what is shown, what that proves, how. */
export function behaviour(
  name: string,
  guarantees: readonly Guarantee[],
  run: Case["run"],
  options: Pick<Case, "timeoutMs" | "applies"> = {},
): Case {
  return { name, guarantees, run, ...options };
}
