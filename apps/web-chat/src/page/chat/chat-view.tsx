import { useChat } from "@ai-sdk/react";
import type { UIMessage } from "ai";
import { type ReactElement, type RefObject, useEffect, useState } from "react";
import { stopAnswer } from "../chat-requests.js";
import { Composer } from "./composer.js";
import { type Conversation, isAnswering } from "./conversation.js";
import { EmptyChat } from "./empty-chat.js";
import { Message } from "./message.js";
import { useFollowedEnd } from "./use-followed-end.js";

interface Props {
  readonly id: string;
  readonly conversation: Conversation;
  /** Whether the chat has changed since it was loaded, here or in another tab. */
  readonly isBehind: boolean;
  readonly onBehind: () => void;
  readonly isOffline: boolean;
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly composer: RefObject<HTMLTextAreaElement | null>;
  readonly perform: (action: Promise<void>) => Promise<void>;
}

/** How often a growing answer is painted, however fast its words come. */
const PAINT_MS = 50;

/** A conversation, with the hook of the SDK. */
export function ChatView(props: Props): ReactElement {
  const { id, conversation, isBehind, onBehind, isOffline, draft, onDraft, composer, perform } = props;
  const { loaded, chat } = conversation;
  // With a chat of our own: the hook's would take a stream that begins again for more of the same.
  const { messages, sendMessage, regenerate, status, error } = useChat({
    chat,
    resume: loaded.isAnswering,
    experimental_throttle: PAINT_MS,
  });
  const [editing, setEditing] = useState<string>();
  const isBusy = isAnswering({ status });
  const last = messages.at(-1);
  const scrolled = useFollowedEnd(messages);

  // The connection is closed when the chat is left. Its answer goes on without it.
  useEffect(() => () => void chat.stop(), [chat]);
  useEffect(() => {
    if (isBehind && !isBusy) onBehind();
  });

  const isCutOff = ({ id: messageId, role }: UIMessage): boolean =>
    role === "assistant" &&
    messageId === last?.id &&
    (status === "error" || (status === "ready" && messageId === loaded.cutOff?.messageId));
  const send = (text: string): void => {
    scrolled.toEnd();
    void sendMessage({ text });
    composer.current?.focus();
  };
  const save = (message: UIMessage, text: string): void => {
    setEditing(undefined);
    scrolled.toEnd();
    void sendMessage({ text, messageId: message.id });
    composer.current?.focus();
  };
  const askAgain = (): void => {
    scrolled.toEnd();
    void regenerate();
    composer.current?.focus(); // the button is gone
  };
  const stop = (): void => {
    composer.current?.focus();
    void perform(stopAnswer(id).then(onBehind));
  };
  useEffect(() => {
    if (!isBusy) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !event.defaultPrevented && document.querySelector("dialog") === null)
        stop();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  return (
    <div className="chat" data-status={status}>
      <div className="scroll" ref={scrolled.area} onScroll={scrolled.onScroll}>
        <div className="messages">
          {messages.length === 0 && <EmptyChat isDisabled={isOffline} onAsk={send} />}
          {messages.map((message) => (
            <Message
              key={message.id}
              message={message}
              isStreaming={status === "streaming" && message === last}
              isCutOff={isCutOff(message)}
              isEditing={editing === message.id}
              canChange={!isBusy && !isOffline}
              onEdit={() => setEditing(message.id)}
              onCancel={() => setEditing(undefined)}
              onSave={(text) => save(message, text)}
              onAskAgain={message === last ? askAgain : undefined}
            />
          ))}
          {isBusy && last?.role === "user" && (
            <p className="thinking" aria-hidden="true">
              <span />
              <span />
              <span />
            </p>
          )}
          {error !== undefined && !(error instanceof TypeError) && last?.role === "user" && (
            <div className="notice" data-kind="problem" role="alert">
              <span>No answer: {error.message}</span>
              <button type="button" onClick={askAgain}>
                Try again
              </button>
            </div>
          )}
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {isBusy ? "An answer is being written." : ""}
      </p>
      <Composer
        text={draft}
        field={composer}
        isBusy={isBusy}
        isOffline={isOffline}
        onText={onDraft}
        onSend={(text) => {
          onDraft("");
          send(text);
        }}
        onStop={stop}
      />
    </div>
  );
}
