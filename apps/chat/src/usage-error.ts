/** Something that the user asked for makes no sense. Its message says all there is to say. */
export class UsageError extends Error {}
