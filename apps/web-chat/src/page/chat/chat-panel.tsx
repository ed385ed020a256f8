import type { ReactElement, RefObject } from "react";
import type { LiveChatList } from "../list/use-chat-list.js";
import { ChatView } from "./chat-view.js";
import { useConversation } from "./use-conversation.js";

interface Props {
  readonly id: string;
  readonly open: LiveChatList["open"];
  readonly isOffline: boolean;
  readonly composer: RefObject<HTMLTextAreaElement | null>;
  readonly draft: string;
  /** Called with what to make of the draft: a text that was not sent comes back to what was written since. */
  readonly onDraft: (change: (before: string) => string) => void;
  readonly perform: (action: Promise<void>) => Promise<void>;
  readonly onNew: () => void;
}

/** The open chat, once it is loaded. */
export function ChatPanel(props: Props): ReactElement {
  const { id, open, isOffline, composer, draft, onDraft, perform, onNew } = props;
  const { conversation, failure, isLoading, reload } = useConversation(id, (text) =>
    onDraft((before) => (before === "" ? text : `${text}\n${before}`)),
  );
  if (failure !== undefined)
    return (
      <div className="placeholder" role="alert">
        <p>{failure}</p>
        <button type="button" onClick={reload}>
          Try again
        </button>
      </div>
    );
  if (conversation === undefined) return <p className="placeholder">Loading…</p>;
  if (open === "absent" && conversation.loaded.revision > 0)
    return (
      <div className="placeholder">
        <p>This chat was deleted.</p>
        <button type="button" onClick={onNew}>
          New chat
        </button>
      </div>
    );
  const isBehind = typeof open === "object" && open.revision > conversation.loaded.revision;
  return (
    <ChatView
      id={id}
      conversation={conversation}
      isBehind={isBehind && !isLoading}
      onBehind={reload}
      isOffline={isOffline}
      draft={draft}
      onDraft={(text) => onDraft(() => text)}
      composer={composer}
      perform={perform}
    />
  );
}
