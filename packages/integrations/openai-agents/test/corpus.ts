import type { AgentInputItem } from "@openai/agents";
import { protocol } from "@openai/agents";
import { z } from "zod";

/** Stands for a property that is not there. */
const ABSENT = Symbol("absent");

const TEXT = "text ☃ \u2028 \u0000 \ud83d";
const ANYTHING = { nested: [null, true, 1e21, "", {}, [], { __proto__x: 1 }], "key with space": TEXT };

/** Every kind of item that the installed SDK knows, with every value that its schemas allow at every place. */
export function corpus(): readonly AgentInputItem[] {
  return examplesOf(protocol.ModelItem).flatMap((example) => {
    const parsed = protocol.ModelItem.safeParse(example);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Examples of a schema: together they show each alternative at least once. */
function examplesOf(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodObject) return objectExamples(Object.entries(schema.shape));
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(examplesOf);
  if (schema instanceof z.ZodOptional) return [...examplesOf(schema.unwrap()), ABSENT];
  if (schema instanceof z.ZodNullable) return [...examplesOf(schema.unwrap()), null];
  if (schema instanceof z.ZodArray) return [examplesOf(schema.element), []];
  if (schema instanceof z.ZodRecord) return [ANYTHING, {}];
  if (schema instanceof z.ZodLiteral) return [...schema.values];
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodString) return [TEXT];
  if (schema instanceof z.ZodNumber) return [7];
  if (schema instanceof z.ZodBoolean) return [true, false];
  if (schema instanceof z.ZodAny || schema instanceof z.ZodUnknown) return [ANYTHING, "text", null];
  if (schema instanceof z.ZodCustom) return [new Uint8Array([0, 255, 128, 7])];
  throw new Error(`no examples of a ${String(schema)}: ${JSON.stringify(schema)}`);
}

/** As many objects as the property with the most examples has. */
function objectExamples(shape: readonly (readonly [string, unknown])[]): readonly unknown[] {
  const columns = shape.map(([key, schema]) => [key, examplesOf(schema)] as const);
  const rows = Math.max(...columns.map(([, examples]) => examples.length));
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(
      columns.flatMap(([key, examples]) => {
        const value = examples[row % examples.length];
        return value === ABSENT ? [] : [[key, value]];
      }),
    ),
  );
}

/** The names of all item types in the SDK's schema. */
export function itemTypes(): ReadonlySet<string> {
  return new Set(
    protocol.ModelItem.options.flatMap((option) =>
      [option.shape.type].flatMap((type) => (type instanceof z.ZodLiteral ? [...type.values] : ["message"])),
    ),
  );
}
