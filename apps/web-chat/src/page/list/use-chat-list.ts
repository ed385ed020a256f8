import { useEffect, useState } from "react";
import type { ChatList } from "../../chats/chat-summary.js";
import { addressOf } from "../chat-address.js";

/** Whether the server answers. `back`: it did not, and now it does again. */
export type Connection = "connecting" | "open" | "lost" | "back";

/** The list of chats, kept up to date by the server. */
export interface LiveChatList {
  readonly chats: ChatList["chats"];
  readonly hasMore: boolean;
  /** The open chat; `undefined` until the server has said something about it. */
  readonly open: ChatList["open"] | undefined;
  readonly connection: Connection;
}

/** How long the page says that the server is back. */
const BACK_MS = 6000;
/** How soon a connection is tried again that the browser has given up. */
const AGAIN_MS = 1000;

/** The list of chats, with what is known of the chat `id`. */
export function useChatList(id: string, limit: number): LiveChatList {
  const [list, setList] = useState<ChatList & { readonly of: string }>();
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    const events = new ChatListEvents(`/api/chats${addressOf(id).replace("chat=", "open=")}&limit=${limit}`, {
      onList: (next) => setList({ ...next, of: id }),
      onOpen: () => setConnection((before) => (before === "lost" || before === "back" ? "back" : "open")),
      onLost: () => setConnection("lost"),
    });
    return () => events.close();
  }, [id, limit]);
  useEffect(() => {
    if (connection !== "back") return;
    const timer = setTimeout(() => setConnection("open"), BACK_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  return {
    chats: list?.chats ?? [],
    hasMore: list?.hasMore ?? false,
    open: list?.of === id ? list.open : undefined,
    connection,
  };
}

interface Listeners {
  readonly onList: (list: ChatList) => void;
  readonly onOpen: () => void;
  readonly onLost: () => void;
}

/**
 * The events of the list, while the page can be seen: a browser has six connections to a server, for all of its tabs, and
 * hidden ones must not take them all.
 */
class ChatListEvents {
  readonly #url: string;
  readonly #listeners: Listeners;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, listeners: Listeners) {
    this.#url = url;
    this.#listeners = listeners;
    document.addEventListener("visibilitychange", this.#follow);
    this.#follow();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#follow);
    this.#leave();
  }

  readonly #follow = (): void => {
    if (document.visibilityState === "hidden") this.#leave();
    else if (this.#source === undefined) this.#connect();
  };

  #leave(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #connect(): void {
    const { onList, onOpen, onLost } = this.#listeners;
    const source = new EventSource(this.#url);
    this.#source = source;
    source.onopen = onOpen;
    source.onmessage = ({ data }) => onList(JSON.parse(String(data)));
    source.onerror = () => {
      onLost();
      // The browser connects again by itself, unless the server answered with an error.
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#connect(), AGAIN_MS);
    };
  }
}
