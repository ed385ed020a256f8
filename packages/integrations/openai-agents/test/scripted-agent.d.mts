import type { Agent, FunctionTool } from "@openai/agents";

export declare function adder(before?: (a: number, b: number) => Promise<unknown>): FunctionTool;
export declare function askingAgent(name: string, before?: (a: number, b: number) => Promise<unknown>): Agent;
