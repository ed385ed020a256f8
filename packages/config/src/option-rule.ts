import type { JsonObject } from "@sessions/protocol";

/** What an option of a store may be. */
export interface OptionRule<Value = unknown> {
  /** "must be …": what it must be, for messages and the schema. */
  readonly mustBe: string;
  /** Its JSON Schema. Absent: it can only be given in code, such as a function. */
  readonly schema?: JsonObject;
  /** Never shown. */
  readonly secret?: boolean;
  accepts(value: unknown): value is Value;
  /** Its value in the query of a URL; `undefined` where the text makes no sense. Absent: not in a URL. */
  parse?(text: string): Value | undefined;
}

/** The options of a kind of store, by name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/** The options that rules describe. */
export type OptionsOf<Rules extends OptionRules> = {
  readonly [Name in keyof Rules]?: Rules[Name] extends OptionRule<infer Value> ? Value : never;
};

/** Any text that is not empty. */
export const text = (mustBe: string): OptionRule<string> => ({
  mustBe,
  schema: { type: "string", minLength: 1, description: mustBe },
  accepts: (value): value is string => typeof value === "string" && value !== "",
  parse: (given) => (given === "" ? undefined : given),
});

/** A text that is never shown. */
export const secret = (mustBe: string): OptionRule<string> => ({ ...text(mustBe), secret: true });

/** Yes or no. */
export const flag = (what: string): OptionRule<boolean> => ({
  mustBe: "true or false",
  schema: { type: "boolean", description: what },
  accepts: (value) => typeof value === "boolean",
  parse: (given) => ({ true: true, false: false, "1": true, "0": false, "": true })[given],
});

/** A whole number that is not negative. */
export const count = (what: string): OptionRule<number> => ({
  mustBe: "a whole number, 0 or more",
  schema: { type: "integer", minimum: 0, description: what },
  accepts: (value): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
  parse: (given) => (/^\d{1,15}$/.test(given) ? Number(given) : undefined),
});

/** The mode of a file: a number, or octal digits as `chmod` takes them. */
export const mode = (what: string): OptionRule<number | string> => ({
  mustBe: 'octal digits such as "0640"',
  schema: { type: ["string", "integer"], pattern: "^0?[0-7]{3}$", description: what },
  accepts: (value): value is number | string =>
    typeof value === "number" ? Number.isInteger(value) && value >= 0 && value <= 0o777 : isOctal(value),
  parse: (given) => (isOctal(given) ? given : undefined),
});

/** One of a few words. */
export const oneOf = <const Word extends string>(what: string, words: readonly Word[]): OptionRule<Word> => {
  const find = (given: unknown): Word | undefined => words.find((word) => word === given);
  return {
    mustBe: `one of ${words.join(", ")}`,
    schema: { enum: words, description: what },
    accepts: (value): value is Word => find(value) !== undefined,
    parse: find,
  };
};

/** Something that only code can give, such as a function or an open connection. */
export const live = <Value extends object>(mustBe: string): OptionRule<Value> => ({
  mustBe,
  accepts: (value): value is Value =>
    (typeof value === "object" && value !== null) || typeof value === "function",
});

function isOctal(value: unknown): value is string {
  return typeof value === "string" && /^0?[0-7]{3}$/.test(value);
}
