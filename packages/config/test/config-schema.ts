import type { JsonObject } from "@sessions/protocol";
import { KINDS } from "../src/kinds/index.js";
import type { StoreKind } from "../src/store-kind.js";

const schemes = KINDS.flatMap((kind) => kind.schemes).map((scheme) => scheme.replace("+", "\\+"));

const url: JsonObject = {
  type: "string",
  description: "A URL such as sqlite:./sessions.db?search=true.",
  pattern: `^(?:${schemes.join("|")}):`,
};

/** The schema of a `sessions.config.json`, as the rules of the options have it. */
export const configSchema: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "sessions.config.json",
  description: "Which store @sessions/config opens. Relative paths begin at the folder of this file.",
  type: "object",
  required: ["store"],
  additionalProperties: false,
  properties: {
    $schema: { type: "string" },
    store: { oneOf: [url, ...KINDS.map(objectOf)] },
  },
};

function objectOf({ name, options }: StoreKind): JsonObject {
  const properties = Object.entries(options).flatMap(([option, { schema }]) =>
    schema === undefined ? [] : [[option, schema] as const],
  );
  return {
    type: "object",
    title: name,
    additionalProperties: false,
    anyOf: [{ required: ["store"] }, { required: ["url"] }],
    properties: {
      store: { const: name },
      url: { ...url, pattern: `^(?:${kindSchemes(name)}):` },
      ...Object.fromEntries(properties),
    },
  };
}

function kindSchemes(name: string): string {
  const kind = KINDS.find((each) => each.name === name);
  return (kind?.schemes ?? []).map((scheme) => scheme.replace("+", "\\+")).join("|");
}
