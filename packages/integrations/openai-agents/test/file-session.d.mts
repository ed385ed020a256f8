import type { AgentInputItem, Session } from "@openai/agents";

export declare class FileSession implements Session {
  constructor(root: string, sessionId: string);
  getSessionId(): Promise<string>;
  getItems(limit?: number): Promise<AgentInputItem[]>;
  addItems(items: AgentInputItem[]): Promise<void>;
  popItem(): Promise<AgentInputItem | undefined>;
  clearSession(): Promise<void>;
}
