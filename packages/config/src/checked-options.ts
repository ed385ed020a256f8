import { suggestion } from "@sessions/protocol/integration";
import { invalid } from "./invalid.js";
import type { OptionRules, OptionsOf } from "./option-rule.js";

/** Checks options by their rules, and leaves out those that are `undefined`. INVALID_ARGUMENT names the first wrong one. */
export function checkedOptions<Rules extends OptionRules>(
  rules: Rules,
  given: Readonly<Record<string, unknown>>,
  path: string,
): OptionsOf<Rules> {
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (fits(rules, options, path)) return options;
  throw invalid(path, "must be an object of options.");
}

// Returns true or throws. It is a type predicate so that the compiler knows what was checked.
function fits<Rules extends OptionRules>(
  rules: Rules,
  options: Readonly<Record<string, unknown>>,
  path: string,
): options is OptionsOf<Rules> {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw unknownOption(name, rules, path);
    if (!rule.accepts(value)) throw invalid(`${path}.${name}`, `must be ${rule.mustBe}.`);
  }
  return true;
}

/** Refuses unknown options, so that a typo is not ignored. */
export function unknownOption(name: string, rules: OptionRules, path: string): Error {
  const names = Object.keys(rules);
  const known = names.length === 0 ? "It has none." : `It has ${names.join(", ")}.`;
  return invalid(
    `${path}.${name}`,
    `is not an option of this store.${suggestion(name, names) || ` ${known}`}`,
  );
}
