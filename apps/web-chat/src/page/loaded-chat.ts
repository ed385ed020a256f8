import type { UIMessage } from "ai";

/** What the server tells of a chat: see `loadChat` of `@sessions/ai-sdk`. */
export interface LoadedChat {
  readonly messages: UIMessage[];
  readonly isAnswering: boolean;
  readonly cutOff?: { readonly messageId: string };
  readonly revision: number;
}

const PAUSE_MS = 500;

/** Reads a chat, and goes on asking while the server is away. */
export async function loadedChat(id: string, signal: AbortSignal): Promise<LoadedChat> {
  for (;;) {
    const chat = await attempt(id, signal);
    signal.throwIfAborted();
    if (chat !== undefined) return chat;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function attempt(id: string, signal: AbortSignal): Promise<LoadedChat | undefined> {
  try {
    const response = await fetch(`/api/chat/${encodeURIComponent(id)}`, { signal });
    return response.ok ? await response.json() : undefined;
  } catch (error) {
    // A server that is being started again refuses connections: that is what this waits for.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
