import type { WatchedFunction } from "./watched-function.js";

/** The methods of a managed agent that `settleTurn` needs. */
export interface ExecutingAgent {
  execute(prompt: string): Promise<{ readonly text: string }>;
  interrupt(): Promise<unknown>;
}

/** Runs a turn to its end. If the watched function hangs, the turn is interrupted as soon as the function is called. */
export async function settleTurn(
  agent: ExecutingAgent,
  prompt: string,
  { reached, hangs }: WatchedFunction,
): Promise<PromiseSettledResult<string>> {
  const turn = agent.execute(prompt).then(({ text }) => text);
  if (hangs) {
    await Promise.race([reached, Promise.allSettled([turn])]);
    await agent.interrupt();
  }
  const [result] = await Promise.allSettled([turn]);
  return result;
}
