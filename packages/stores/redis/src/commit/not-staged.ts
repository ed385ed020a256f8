/** The rows that were written ahead of a commit do not fit to what the session is by now. They are written anew. */
export class NotStaged extends Error {}
