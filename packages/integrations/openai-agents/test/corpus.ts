import type { AgentInputItem } from "@openai/agents";
import { protocol } from "@openai/agents";
import { z } from "zod";

/** Stands for a property that is not there. */
const ABSENT = Symbol("absent");

const TEXT = "text ☃ \u2028 \u0000 \ud83d";
const ANYTHING = { nested: [null, true, 1e21, "", {}, [], { __proto__x: 1 }], "key with space": TEXT };

/**
 * Every kind of item that the installed SDK knows: made from its own schemas, with each alternative, and each field that may
 * be absent both ways. An example that the SDK refuses is a mistake here, and throws.
 */
export function corpus(): readonly AgentInputItem[] {
  return examplesOf(protocol.ModelItem).map((example) => protocol.ModelItem.parse(example));
}

/** Examples of a schema: together they show each alternative at least once. */
function examplesOf(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodObject) return objectExamples(schema);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(examplesOf);
  if (schema instanceof z.ZodOptional) return [...examplesOf(schema.unwrap()), ABSENT];
  if (schema instanceof z.ZodNullable) return [...examplesOf(schema.unwrap()), null];
  if (schema instanceof z.ZodArray) return listExamples(schema);
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

/** All examples of an element in one list, and an empty one where that is allowed. */
function listExamples(schema: z.ZodArray): readonly unknown[] {
  const full = examplesOf(schema.element);
  return schema.safeParse([]).success ? [full, []] : [full];
}

/** As many objects as the property with the most examples has. */
function objectExamples(schema: z.ZodObject): readonly unknown[] {
  const columns = Object.entries(schema.shape).map(([key, one]) => [key, examplesOf(one)] as const);
  const rows = Math.max(...columns.map(([, examples]) => examples.length));
  const object = (row: number, isFull: boolean): unknown =>
    Object.fromEntries(
      columns.flatMap(([key, examples]) => {
        const value = examples[row % examples.length];
        const given = value === ABSENT && isFull ? examples[0] : value;
        return given === ABSENT ? [] : [[key, given]];
      }),
    );
  return Array.from({ length: rows }, (_, row) => {
    const example = object(row, false);
    // Of some fields one must be there.
    return schema.safeParse(example).success ? example : object(row, true);
  });
}

/** The names of all item types in the SDK's schema. */
export function itemTypes(): ReadonlySet<string> {
  return new Set(
    protocol.ModelItem.options.flatMap((option) =>
      [option.shape.type].flatMap((type) => (type instanceof z.ZodLiteral ? [...type.values] : ["message"])),
    ),
  );
}
