import type { Fields } from "@sessions/turn-runner";

/** The fields of these names, without those that are undefined. */
export function pickFields(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}
