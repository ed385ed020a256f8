import { SessionError } from "@sessions/protocol";
import type { Surroundings } from "../store-kind.js";

/** A typo in a path must not make an empty store that looks like a lost one. */
export function requirePresent({ mode }: Surroundings, present: boolean, place: string): void {
  if (present || mode === "create") return;
  throw SessionError.of(
    "STORE_UNAVAILABLE",
    `There is no store at ${place}. Check the path; nothing was made there.`,
    {},
  );
}
