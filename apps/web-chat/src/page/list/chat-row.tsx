import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from "react";
import { type ChatSummary, MAX_TITLE_CHARACTERS } from "../../chats/chat-summary.js";
import { addressOf } from "../chat-address.js";
import { Icon } from "../icon.js";

interface Props {
  readonly chat: ChatSummary;
  readonly isOpen: boolean;
  readonly onOpen: (id: string) => void;
  readonly onRename: (title: string) => Promise<void>;
  readonly onDelete: () => void;
}

/** A chat in the list. */
export function ChatRow({ chat, isOpen, onOpen, onRename, onDelete }: Props): ReactElement {
  const [isRenaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  const title = chat.title ?? "Untitled chat";

  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // a new tab or window
    event.preventDefault();
    onOpen(chat.id);
  };
  const renamed = async (given: string | undefined): Promise<void> => {
    if (given !== undefined) await onRename(given);
    setRenaming(false);
  };
  useEffect(() => {
    if (wasRenaming.current && !isRenaming) renameButton.current?.focus(); // the field that had the focus is gone
    wasRenaming.current = isRenaming;
  }, [isRenaming]);

  if (isRenaming) return <TitleForm title={chat.title ?? ""} onDone={renamed} />;
  return (
    <li className="chat-row" data-open={isOpen}>
      <a href={addressOf(chat.id)} aria-current={isOpen ? "page" : undefined} dir="auto" onClick={open}>
        {chat.isAnswering && <span className="pulse" role="img" aria-label="Answering:" />}
        {title}
      </a>
      <span className="row-buttons">
        <button
          type="button"
          className="icon-button"
          aria-label={`Rename ${title}`}
          ref={renameButton}
          onClick={() => setRenaming(true)}
        >
          <Icon name="pencil" />
        </button>
        <button type="button" className="icon-button" aria-label={`Delete ${title}`} onClick={onDelete}>
          <Icon name="bin" />
        </button>
      </span>
    </li>
  );
}

interface TitleFormProps {
  readonly title: string;
  /** Called with the new title, or without one if it stays. */
  readonly onDone: (title?: string) => Promise<void>;
}

function TitleForm({ title, onDone }: TitleFormProps): ReactElement {
  const [text, setText] = useState(title);
  const given = text.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (given !== "") void onDone(given === title ? undefined : given);
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    void onDone();
  };
  return (
    <li>
      <form className="chat-row title-form" onSubmit={submit} onKeyDown={leave}>
        <input
          aria-label="Title"
          value={text}
          maxLength={MAX_TITLE_CHARACTERS}
          // biome-ignore lint/a11y/noAutofocus: the button that was pressed has become this field
          autoFocus
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="icon-button" aria-label="Save the title" disabled={given === ""}>
          <Icon name="check" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Keep the title"
          onClick={() => void onDone()}
        >
          <Icon name="cross" />
        </button>
      </form>
    </li>
  );
}
