import { ArithmeticError } from "../arithmetic/arithmetic-error.js";
import { evaluate } from "../arithmetic/evaluate.js";
import { plainNumber } from "../arithmetic/plain-number.js";
import { inputFields } from "./input-fields.js";
import type { Tool } from "./tool.js";
import { ToolError } from "./tool-error.js";

const expression = { type: "string", description: "Numbers, + - * / % ^ and brackets, such as 2 * (3 + 4)" };

/** A tool for arithmetic. */
export const calculate: Tool = {
  name: "calculate",
  description: "Works out an arithmetic expression.",
  parameters: { type: "object", properties: { expression }, required: ["expression"] },
  run(input) {
    const given = inputFields(input)["expression"];
    if (typeof given !== "string") throw new ToolError('calculate needs an "expression"');
    return { expression: given, value: worked(given) };
  },
};

function worked(given: string): string {
  try {
    return plainNumber(evaluate(given));
  } catch (error) {
    if (error instanceof ArithmeticError) throw new ToolError(error.message, { cause: error });
    throw error;
  }
}
