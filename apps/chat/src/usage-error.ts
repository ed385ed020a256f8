/** A wrong input of the user. Its message is shown without a stack. */
export class UsageError extends Error {}
