import type { UIMessage } from "ai";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { textOf } from "../../text-of.js";
import { Icon } from "../icon.js";
import { GrowingField } from "./growing-field.js";

interface Props {
  readonly message: UIMessage;
  readonly isStreaming: boolean;
  /** The mark of an incomplete answer. */
  readonly isCutOff: boolean;
  readonly isEditing: boolean;
  /** Whether the message may be edited, or answered again. */
  readonly canChange: boolean;
  readonly onEdit: () => void;
  readonly onCancel: () => void;
  readonly onSave: (text: string) => void;
  /** Asks for another answer in place of this one. Absent if it is not the last one. */
  readonly onAskAgain: (() => void) | undefined;
}

/** A question or an answer. Its text is shown as it is: nothing in it becomes markup. */
export function Message(props: Props): ReactElement {
  const { message, isStreaming, isCutOff, isEditing, canChange, onEdit, onCancel, onSave, onAskAgain } =
    props;
  const { role } = message;
  const isUser = role === "user";
  return (
    <article
      aria-label={isUser ? "You" : "Answer"}
      data-role={role}
      data-id={message.id}
      data-cut-off={isCutOff}
      data-streaming={isStreaming}
    >
      {isEditing ? (
        <EditForm message={message} onCancel={onCancel} onSave={onSave} />
      ) : (
        <p className="text" dir="auto">
          {textOf(message)}
        </p>
      )}
      {isCutOff && (
        <footer className="cut-off">
          <span>This answer was cut off. What was saved of it is above.</span>
          <button type="button" disabled={!canChange} onClick={onAskAgain}>
            Retry
          </button>
        </footer>
      )}
      {!isEditing && isUser && (
        <button type="button" className="text-button" disabled={!canChange} onClick={onEdit}>
          <Icon name="pencil" />
          Edit
        </button>
      )}
      {!isCutOff && !isUser && onAskAgain !== undefined && (
        <button type="button" className="text-button" disabled={!canChange} onClick={onAskAgain}>
          <Icon name="again" />
          Regenerate
        </button>
      )}
    </article>
  );
}

interface EditFormProps {
  readonly message: UIMessage;
  readonly onCancel: () => void;
  readonly onSave: (text: string) => void;
}

function EditForm({ message, onCancel, onSave }: EditFormProps): ReactElement {
  const [text, setText] = useState(textOf(message));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const save = (): void => {
    if (text.trim() !== "") onSave(text.trim());
  };
  return (
    <form
      className="edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <GrowingField
        label="Edit message"
        field={field}
        text={text}
        onText={setText}
        onEnter={save}
        onEscape={onCancel}
      />
      <p className="hint">A new answer takes the place of everything below.</p>
      <div className="buttons">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="primary" disabled={text.trim() === ""}>
          Save
        </button>
      </div>
    </form>
  );
}
