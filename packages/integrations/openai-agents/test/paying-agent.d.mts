import type { Agent, AgentOutputItem } from "@openai/agents";
import type { ScriptedModel } from "@openai/agents/testing";

export declare function payments(file: string): Promise<string[]>;
export declare function payingAgent(
  file: string,
  steps: AgentOutputItem[][],
  after?: () => Promise<unknown>,
): { agent: Agent; model: ScriptedModel };
export declare function asksToPay(amount: number, callId: string): AgentOutputItem[];
export declare function answers(text: string): AgentOutputItem[];
