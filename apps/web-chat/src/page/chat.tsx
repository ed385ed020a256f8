import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { type FormEvent, type ReactElement, useState } from "react";
import type { LoadedChat } from "./loaded-chat.js";
import { Message, textOf } from "./message.js";

interface Props {
  readonly id: string;
  readonly chat: LoadedChat;
  /** Called when the shown messages may differ from the stored ones. */
  readonly onStale: () => void;
}

/** A conversation, with the hook of the SDK. */
export function Chat({ id, chat, onStale }: Props): ReactElement {
  const [draft, setDraft] = useState("");
  const [editing, setEditing] = useState<string>();
  const [transport] = useState(
    () => new DefaultChatTransport({ prepareReconnectToStreamRequest: reconnect(chat) }),
  );
  const { messages, sendMessage, regenerate, stop, status, error } = useChat({
    id,
    messages: chat.messages,
    resume: chat.isAnswering,
    transport,
    // The connection is lost. The page loads the stored answer when the server is back.
    onError: (failure) => {
      if (failure instanceof TypeError) onStale();
    },
  });
  const isAnswering = status === "submitted" || status === "streaming";
  const last = messages.at(-1);
  const isCutOff = ({ id: messageId, role }: UIMessage): boolean =>
    role === "assistant" &&
    messageId === last?.id &&
    (status === "error" || (status === "ready" && messageId === chat.cutOff?.messageId));

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const text = draft.trim();
    if (text === "") return;
    setDraft("");
    setEditing(undefined);
    void sendMessage(editing === undefined ? { text } : { text, messageId: editing });
  };
  const edit = (message: UIMessage): void => {
    setDraft(textOf(message));
    setEditing(message.id);
  };
  const stopAnswer = async (): Promise<void> => {
    await fetch(`/api/chat/${encodeURIComponent(id)}`, { method: "DELETE" });
    await stop();
    onStale();
  };

  return (
    <main data-status={status}>
      {messages.map((message) => (
        <Message
          key={message.id}
          message={message}
          isCutOff={isCutOff(message)}
          onEdit={edit}
          onRetry={() => void regenerate()}
        />
      ))}
      {error !== undefined && last?.role !== "assistant" && <p role="alert">{error.message}</p>}
      <form onSubmit={submit}>
        <input
          aria-label="Message"
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
          placeholder="Ask for a long story, then reload, or kill the server"
        />
        <button type="submit">{editing === undefined ? "Send" : "Save"}</button>
        {isAnswering && (
          <button type="button" onClick={() => void stopAnswer()}>
            Stop
          </button>
        )}
        {!isAnswering && last?.role === "assistant" && (
          <button type="button" onClick={() => void regenerate()}>
            Regenerate
          </button>
        )}
      </form>
    </main>
  );
}

/** Requests the stream from the revision of the loaded chat, so that an answer that has ended since is not missed. */
function reconnect({ revision }: LoadedChat): ({ id }: { readonly id: string }) => { api: string } {
  return ({ id }) => ({ api: `/api/chat/${encodeURIComponent(id)}/stream?since=${revision}` });
}
