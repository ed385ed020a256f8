import type { UIMessage } from "ai";

/** A chat as the server returns it: see `loadChat` of `@sessions/ai-sdk`. */
export interface LoadedChat {
  readonly messages: UIMessage[];
  readonly isAnswering: boolean;
  readonly cutOff?: { readonly messageId: string };
  readonly revision: number;
}

const PAUSE_MS = 500;

/** Loads a chat. Retries while the server is down. */
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
    // A server that restarts refuses connections for a moment.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
