import { type ReactElement, useRef, useState } from "react";
import type { ChatSummary } from "../../chats/chat-summary.js";
import { deleteChat, renameChat } from "../chat-requests.js";
import { Icon } from "../icon.js";
import { ChatRow } from "./chat-row.js";
import { DeleteDialog } from "./delete-dialog.js";
import type { LiveChatList } from "./use-chat-list.js";
import type { Drawer } from "./use-drawer.js";

interface Props {
  readonly drawer: Drawer;
  readonly openId: string;
  readonly list: LiveChatList;
  readonly onOpen: (id: string) => void;
  readonly onNew: () => void;
  readonly onMore: () => void;
  /** Shows the error of an action. */
  readonly perform: (action: Promise<void>) => Promise<void>;
}

/** The chats, the newest first. */
export function Sidebar({ drawer, openId, list, onOpen, onNew, onMore, perform }: Props): ReactElement {
  const [deleting, setDeleting] = useState<ChatSummary>();
  const newButton = useRef<HTMLButtonElement>(null);
  const { chats, hasMore, connection } = list;

  const confirmed = async (id: string): Promise<void> => {
    setDeleting(undefined);
    await deleteChat(id);
    if (id === openId) onNew();
    else newButton.current?.focus(); // the button that had the focus is gone
  };

  return (
    <>
      <aside id="chats" className="sidebar" data-open={drawer.isOpen} aria-label="Chats">
        <div className="sidebar-head">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          <span className="brand">Web chat</span>
          <button
            type="button"
            className="icon-button narrow"
            aria-label="Hide the chats"
            ref={drawer.closer}
            onClick={drawer.close}
          >
            <Icon name="cross" />
          </button>
        </div>
        <button type="button" className="new-chat" ref={newButton} onClick={onNew}>
          <Icon name="plus" />
          New chat
        </button>
        <nav aria-label="Chats, newest first">
          <ul>
            {chats.map((chat) => (
              <ChatRow
                key={chat.id}
                chat={chat}
                isOpen={chat.id === openId}
                onOpen={onOpen}
                onRename={(title) => perform(renameChat(chat.id, title))}
                onDelete={() => setDeleting(chat)}
              />
            ))}
          </ul>
          {chats.length === 0 && connection !== "connecting" && (
            <p className="hint">Your chats appear here.</p>
          )}
          {hasMore && (
            <button type="button" className="text-button" onClick={onMore}>
              Show older chats
            </button>
          )}
        </nav>
      </aside>
      {drawer.isOpen && <div className="backdrop" aria-hidden="true" onClick={drawer.close} />}
      {deleting !== undefined && (
        <DeleteDialog
          chat={deleting}
          onCancel={() => setDeleting(undefined)}
          onDelete={() => void perform(confirmed(deleting.id))}
        />
      )}
    </>
  );
}
