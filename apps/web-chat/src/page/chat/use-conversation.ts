import { useEffect, useRef, useState } from "react";
import { type Conversation, conversationOf, isAnswering, unsentText } from "./conversation.js";
import { loadedChat } from "./loaded-chat.js";

/** The stored chat of the page. */
export interface StoredConversation {
  readonly conversation: Conversation | undefined;
  /** Why the chat cannot be loaded. */
  readonly failure: string | undefined;
  readonly isLoading: boolean;
  /** Loads the chat again. While an answer is written to this page, nothing changes. */
  readonly reload: () => void;
}

interface Load {
  readonly id: string;
  /** How many loads there were. */
  readonly count: number;
  readonly conversation?: Conversation;
  readonly failure?: string;
}

/** Loads the chat `id`. `onUnsent` is called with a question that the store does not have. */
export function useConversation(id: string, onUnsent: (text: string) => void): StoredConversation {
  const [count, setCount] = useState(0);
  const [load, setLoad] = useState<Load>();
  const shown = useRef<Conversation>(undefined);
  const unsent = useRef(onUnsent);
  unsent.current = onUnsent;
  const reload = (): void => setCount((before) => before + 1);

  useEffect(() => {
    const leaving = new AbortController();
    const show = (conversation: Conversation): void => {
      shown.current = conversation;
      setLoad({ id, count, conversation });
    };
    loadedChat(id, leaving.signal).then(
      (loaded) => {
        const before = shown.current?.chat.id === id ? shown.current : undefined;
        if (before !== undefined && isAnswering(before.chat)) return show(before);
        const text = before === undefined ? undefined : unsentText(before, loaded);
        if (text !== undefined) unsent.current(text);
        show(conversationOf(id, loaded, reload));
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setLoad({ id, count, failure: messageOf(error) });
      },
    );
    return () => leaving.abort();
  }, [id, count]);

  const current = load?.id === id ? load : undefined;
  return {
    conversation: current?.conversation,
    failure: current?.failure,
    isLoading: current?.count !== count,
    reload,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
