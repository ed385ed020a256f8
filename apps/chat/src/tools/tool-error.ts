/** Why a tool did not do what it was asked: the model is told, and the turn goes on. */
export class ToolError extends Error {}
