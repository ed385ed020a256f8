/** An error of a tool that the model gets as its result, and the turn goes on. */
export class ToolError extends Error {}
