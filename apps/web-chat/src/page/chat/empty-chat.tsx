import type { ReactElement } from "react";

const PROMPTS = ["Tell me a long story.", "Hello!"];

interface Props {
  readonly isDisabled: boolean;
  readonly onAsk: (text: string) => void;
}

/** What to try in a chat without messages. */
export function EmptyChat({ isDisabled, onAsk }: Props): ReactElement {
  return (
    <section className="empty" aria-label="What to try">
      <img src="/favicon.svg" alt="" width="48" height="48" />
      <h2>A chat that survives</h2>
      <p>Ask for a long story. While it is told:</p>
      <ul>
        <li>reload the page, or open its address in a second tab: the story goes on in both</li>
        <li>
          stop it, with the button or <kbd>Esc</kbd>; edit your question, or ask for it again
        </li>
        <li>
          end the server with <code>kill -9</code> and start it again: what was saved is here
        </li>
      </ul>
      <div className="prompts">
        {PROMPTS.map((text) => (
          <button key={text} type="button" disabled={isDisabled} onClick={() => onAsk(text)}>
            {text}
          </button>
        ))}
      </div>
    </section>
  );
}
