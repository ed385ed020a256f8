/** What is wrong with an expression, in words for whoever wrote it. */
export class ArithmeticError extends Error {}
