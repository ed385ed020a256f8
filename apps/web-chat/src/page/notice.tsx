import type { ReactElement } from "react";
import { Icon } from "./icon.js";
import type { Connection } from "./list/use-chat-list.js";

interface Props {
  readonly connection: Connection;
  /** What could not be done. */
  readonly problem: string | undefined;
  readonly onDismiss: () => void;
}

/** What the user should know about the server, above the chat. */
export function Notice({ connection, problem, onDismiss }: Props): ReactElement {
  return (
    <div className="notices">
      <div role="status">
        {connection === "lost" && (
          <p className="notice" data-kind="lost">
            <span className="pulse" aria-hidden="true" />
            Reconnecting… The server does not answer.
          </p>
        )}
        {connection === "back" && (
          <p className="notice" data-kind="back">
            <Icon name="check" />
            The server is back.
          </p>
        )}
      </div>
      {problem !== undefined && (
        <p className="notice" data-kind="problem" role="alert">
          <span>{problem}</span>
          <button type="button" className="icon-button" aria-label="Dismiss" onClick={onDismiss}>
            <Icon name="cross" />
          </button>
        </p>
      )}
    </div>
  );
}
