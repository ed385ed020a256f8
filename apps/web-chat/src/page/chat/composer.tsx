import { type FormEvent, type ReactElement, type RefObject, useEffect } from "react";
import { Icon } from "../icon.js";
import { GrowingField } from "./growing-field.js";

interface Props {
  readonly text: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** An answer is being written: it can be stopped, and the next question waits in the field. */
  readonly isBusy: boolean;
  readonly isOffline: boolean;
  readonly onText: (text: string) => void;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
}

/** Where a question is written. */
export function Composer({ text, field, isBusy, isOffline, onText, onSend, onStop }: Props): ReactElement {
  const question = text.trim();
  const canSend = question !== "" && !isBusy && !isOffline;
  const send = (): void => {
    if (canSend) onSend(question);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  useEffect(() => field.current?.focus(), [field]);
  return (
    <form className="composer" onSubmit={submit}>
      <div className="composer-box">
        <GrowingField
          label="Message"
          placeholder="Ask something"
          describedBy="keys"
          field={field}
          text={text}
          onText={onText}
          onEnter={send}
        />
        {isBusy ? (
          <button type="button" className="round" aria-label="Stop" title="Stop (Esc)" onClick={onStop}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" className="round" aria-label="Send" title="Send (Enter)" disabled={!canSend}>
            <Icon name="send" />
          </button>
        )}
      </div>
      <p id="keys" className="keys">
        <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> makes a new line, <kbd>Esc</kbd> stops the
        answer
      </p>
    </form>
  );
}
