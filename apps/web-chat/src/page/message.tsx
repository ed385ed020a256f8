import type { UIMessage } from "ai";
import type { ReactElement } from "react";

interface Props {
  readonly message: UIMessage;
  /** The mark of an incomplete answer. */
  readonly isCutOff: boolean;
  readonly onEdit: (message: UIMessage) => void;
  readonly onRetry: () => void;
}

export function Message({ message, isCutOff, onEdit, onRetry }: Props): ReactElement {
  const { role } = message;
  return (
    <article data-role={role} data-id={message.id} data-cut-off={isCutOff}>
      <p>{textOf(message)}</p>
      {role === "user" && (
        <button type="button" onClick={() => onEdit(message)}>
          Edit
        </button>
      )}
      {isCutOff && (
        <footer>
          This answer was cut off.{" "}
          <button type="button" onClick={onRetry}>
            Retry
          </button>
        </footer>
      )}
    </article>
  );
}

export function textOf({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
