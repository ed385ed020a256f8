import { ArithmeticError } from "./arithmetic-error.js";
import { type Token, tokensOf } from "./tokens.js";

const MAX_CHARACTERS = 1000;
const MAX_DEPTH = 100;

/** Binary operators by precedence. Operators of one row are left-associative. */
const ROWS: readonly ReadonlyMap<Token, (left: number, right: number) => number>[] = [
  new Map([
    ["+", (left: number, right: number) => left + right],
    ["-", (left: number, right: number) => left - right],
  ]),
  new Map([
    ["*", (left: number, right: number) => left * right],
    ["/", (left: number, right: number) => left / nonZero(right)],
    ["%", (left: number, right: number) => left % nonZero(right)],
  ]),
];

/**
 * Evaluates `+ - * / % ^`, signs and brackets, with the usual precedence: `-2^2` is -4, `2^3^2` is 512. Throws an
 * ArithmeticError for anything else.
 */
export function evaluate(expression: string): number {
  if (expression.length > MAX_CHARACTERS) throw new ArithmeticError("That expression is too long");
  const parser = new Parser(tokensOf(expression));
  const value = parser.whole();
  if (!Number.isFinite(value)) throw new ArithmeticError("The result is not a number that I can tell");
  return value;
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw new ArithmeticError("Nothing can be divided by zero");
  return divisor;
}

/** A parser that computes the value while it reads, without a syntax tree. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): number {
    const value = this.#row(0);
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw new ArithmeticError(`I did not expect "${rest}" there`);
    return value;
  }

  #row(index: number): number {
    const operators = ROWS[index];
    if (operators === undefined) return this.#signed();
    let value = this.#row(index + 1);
    for (;;) {
      const operator = operators.get(this.#tokens[this.#at] ?? "");
      if (operator === undefined) return value;
      this.#at += 1;
      value = operator(value, this.#row(index + 1));
    }
  }

  /** Every nested expression is read here, so the depth is limited here, before the stack overflows. */
  #signed(): number {
    if (++this.#depth > MAX_DEPTH) throw new ArithmeticError("That expression is nested too deep");
    try {
      if (this.#take("-")) return -this.#signed();
      return this.#take("+") ? this.#signed() : this.#power();
    } finally {
      this.#depth -= 1;
    }
  }

  #power(): number {
    const base = this.#operand();
    return this.#take("^") ? base ** this.#signed() : base;
  }

  #operand(): number {
    const token = this.#tokens[this.#at++];
    if (typeof token === "number") return token;
    if (token !== "(")
      throw new ArithmeticError(
        token === undefined ? "Something is missing at the end" : `I did not expect "${token}" there`,
      );
    const value = this.#row(0);
    if (!this.#take(")")) throw new ArithmeticError("A bracket is not closed");
    return value;
  }

  #take(token: Token): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}
