import { type CountTokens, estimateTokens, type SummaryTask } from "@sessions/protocol";
import { invalid } from "../arguments/invalid.js";
import { requireCount, requireFunction } from "../arguments/require.js";
import { ignoreRejection } from "../user-functions/ignore-rejection.js";

/** How much of a long conversation the model is sent. */
export interface ContextBudgetOptions {
  /** @default 100000 */
  readonly maxTokens?: number | undefined;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
  /** Once the conversation passes `maxTokens`, its oldest messages are archived, and this summarizes them. */
  readonly summarize?: ((task: SummaryTask) => Promise<string> | string) | undefined;
  /** How many tokens of newest messages stay live when the others are archived. @default half of maxTokens */
  readonly keepTokens?: number | undefined;
}

/** The options, checked and with their defaults. */
export interface ContextBudget {
  readonly maxTokens: number;
  readonly keepTokens: number;
  readonly countTokens: CountTokens;
  readonly summarize?: ((task: SummaryTask) => Promise<string> | string) | undefined;
}

export function requireContextBudget(options: ContextBudgetOptions, path: string): ContextBudget {
  const maxTokens = requireCount(options.maxTokens ?? 100_000, `${path}.maxTokens`, 1);
  // At least one token: the newest message, the prompt, is never archived.
  const half = Math.max(1, Math.floor(maxTokens / 2));
  const keepTokens = requireCount(options.keepTokens ?? half, `${path}.keepTokens`, 1);
  const countTokens = checkedCount(options.countTokens ?? estimateTokens, `${path}.countTokens`);
  const { summarize } = options;
  if (summarize !== undefined) requireFunction(summarize, `${path}.summarize`);
  return { maxTokens, keepTokens, countTokens, summarize };
}

function checkedCount(countTokens: CountTokens, path: string): CountTokens {
  requireFunction(countTokens, path);
  if (countTokens === estimateTokens) return estimateTokens;
  return (message) => {
    const tokens: unknown = countTokens(message);
    if (typeof tokens === "number" && tokens >= 0) return tokens;
    ignoreRejection(tokens); // it may be a promise
    throw invalid(path, "must return a number that is not negative.");
  };
}
