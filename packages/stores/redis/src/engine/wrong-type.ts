import { Damage } from "@sessions/protocol/backend";

/** Whether a key holds another type of value than the store writes there: another program has written over it. */
export function isWrongType(error: unknown): boolean {
  // Redis 6.2 puts its own words before the code when a script meets it.
  return error instanceof Error && error.name === "ReplyError" && /\bWRONGTYPE\b/.test(error.message);
}

/** For the keys of one session: it is that session's damage. */
export function wrongTypeIsDamage(key: string): (error: unknown) => never {
  return (error) => {
    throw isWrongType(error)
      ? new Damage(key, "holds another type of value, written by another program")
      : error;
  };
}
