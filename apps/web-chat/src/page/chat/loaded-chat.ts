import type { UIMessage } from "ai";

/** A chat as the server returns it: see `loadChat` of `@sessions/ai-sdk`. */
export interface LoadedChat {
  readonly messages: UIMessage[];
  readonly isAnswering: boolean;
  readonly cutOff?: { readonly messageId: string };
  readonly revision: number;
}

const PAUSE_MS = 500;

/** Loads a chat. Retries while the server is down. Throws an error with the server's sentence if it cannot read the chat. */
export async function loadedChat(id: string, signal: AbortSignal): Promise<LoadedChat> {
  for (;;) {
    const chat = await attempt(id, signal);
    signal.throwIfAborted();
    if (chat !== undefined) return chat;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
  }
}

async function attempt(id: string, signal: AbortSignal): Promise<LoadedChat | undefined> {
  const response = await answerOf(id, signal);
  if (response === undefined || response.status === 503) return undefined;
  if (!response.ok) throw new Error(`The chat cannot be shown. ${await response.text()}`);
  return response.json();
}

async function answerOf(id: string, signal: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(`/api/chat/${encodeURIComponent(id)}`, { signal });
  } catch (error) {
    // A server that restarts refuses connections for a moment.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
