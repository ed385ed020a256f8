import { type ReactElement, useEffect, useRef } from "react";
import type { ChatSummary } from "../../chats/chat-summary.js";

interface Props {
  readonly chat: ChatSummary;
  readonly onCancel: () => void;
  readonly onDelete: () => void;
}

/** Asks before a chat is deleted. */
export function DeleteDialog({ chat, onCancel, onDelete }: Props): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="delete-question"
      aria-describedby="delete-effect"
      onClose={onCancel}
    >
      <h2 id="delete-question">Delete this chat?</h2>
      <p id="delete-effect">
        <bdi>“{chat.title ?? "Untitled chat"}”</bdi> and its messages will be gone, in every tab.
      </p>
      <div className="buttons">
        {/* The first button has the focus. */}
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={onDelete}>
          Delete
        </button>
      </div>
    </dialog>
  );
}
