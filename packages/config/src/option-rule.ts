import type { JsonObject } from "@sessions/protocol";

/** The rule for the values of an option. */
export interface OptionRule<Value = unknown> {
  /** The text after "must be", for messages and the schema. */
  readonly mustBe: string;
  /** Its JSON Schema. Absent: the value can only be set in code, such as a function. */
  readonly schema?: JsonObject;
  /** Whether the value is a secret, which is never shown. */
  readonly secret?: boolean;
  accepts(value: unknown): value is Value;
  /** Parses the value from the query of a URL; returns `undefined` for a wrong text. Absent: not allowed in a URL. */
  parse?(text: string): Value | undefined;
}

/** The rules of a kind of store, by option. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/** The type of the options that rules describe. */
export type OptionsOf<Rules extends OptionRules> = {
  readonly [Name in keyof Rules]?: Rules[Name] extends OptionRule<infer Value> ? Value : never;
};

/** A rule: non-empty text. */
export const text = (mustBe: string): OptionRule<string> => ({
  mustBe,
  schema: { type: "string", minLength: 1, description: mustBe },
  accepts: (value): value is string => typeof value === "string" && value !== "",
  parse: (given) => (given === "" ? undefined : given),
});

/** A rule: text that is never shown. */
export const secret = (mustBe: string): OptionRule<string> => ({ ...text(mustBe), secret: true });

/** A rule: a boolean. */
export const flag = (what: string): OptionRule<boolean> => ({
  mustBe: "true or false",
  schema: { type: "boolean", description: what },
  accepts: (value) => typeof value === "boolean",
  parse: (given) => ({ true: true, false: false, "1": true, "0": false, "": true })[given],
});

/** A rule: an integer of at least 0. */
export const count = (what: string): OptionRule<number> => ({
  mustBe: "a whole number, 0 or more",
  schema: { type: "integer", minimum: 0, description: what },
  accepts: (value): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
  parse: (given) => (/^\d{1,15}$/.test(given) ? Number(given) : undefined),
});

/** A rule: a file mode, as a number or as octal digits like those of `chmod`. */
export const mode = (what: string): OptionRule<number | string> => ({
  mustBe: 'octal digits such as "0640"',
  schema: { type: ["string", "integer"], pattern: "^0?[0-7]{3}$", description: what },
  accepts: (value): value is number | string =>
    typeof value === "number" ? Number.isInteger(value) && value >= 0 && value <= 0o777 : isOctal(value),
  parse: (given) => (isOctal(given) ? given : undefined),
});

/** A rule: one of some words. */
export const oneOf = <const Word extends string>(what: string, words: readonly Word[]): OptionRule<Word> => {
  const find = (given: unknown): Word | undefined => words.find((word) => word === given);
  return {
    mustBe: `one of ${words.join(", ")}`,
    schema: { enum: words, description: what },
    accepts: (value): value is Word => find(value) !== undefined,
    parse: find,
  };
};

/** A rule: a value that only code can set, such as a function or an open connection. */
export const live = <Value extends object>(mustBe: string): OptionRule<Value> => ({
  mustBe,
  accepts: (value): value is Value =>
    (typeof value === "object" && value !== null) || typeof value === "function",
});

function isOctal(value: unknown): value is string {
  return typeof value === "string" && /^0?[0-7]{3}$/.test(value);
}
