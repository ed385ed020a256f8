/** What is wrong with an expression, as a message for the user. */
export class ArithmeticError extends Error {}
