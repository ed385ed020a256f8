import { ArithmeticError } from "./arithmetic-error.js";

/** A number, an operator or a bracket. */
export type Token = number | string;

const TOKEN = /\s*(?:(?<number>\d+(?:\.\d+)?|\.\d+)|(?<symbol>[-+*/%^()]))/y;

/** Other characters for operators. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/×|·/g, "*"],
  [/÷/g, "/"],
  [/−/g, "-"],
  [/\*\*/g, "^"],
];

/** Splits an expression into tokens. Anything but numbers and operators is an error, so nothing is run as code. */
export function tokensOf(expression: string): readonly Token[] {
  const text = SPELLINGS.reduce(
    (so, [spelling, symbol]) => so.replace(spelling, symbol),
    expression,
  ).trimEnd();
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text)?.groups;
    if (found === undefined)
      throw new ArithmeticError(`I cannot calculate with "${text.slice(at).trim().slice(0, 20)}"`);
    tokens.push(found["number"] === undefined ? (found["symbol"] ?? "") : Number(found["number"]));
  }
  return tokens;
}
