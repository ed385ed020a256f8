import type { SessionStore } from "@sessions/protocol";
import {
  AbstractChat,
  type ChatInit,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  type UIMessage,
} from "ai";
import { type ChatHandlers, loadChat } from "../src/index.js";

/** What `useChat` keeps in React's state. */
class PageState implements ChatState<UIMessage> {
  status: ChatStatus = "ready";
  error: Error | undefined;
  messages: UIMessage[];

  constructor(messages: UIMessage[]) {
    this.messages = messages;
  }

  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message];
  };

  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };

  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message));
  };

  snapshot = <Thing>(thing: Thing): Thing => structuredClone(thing);
}

/** A page without a browser: the SDK's own chat and transport, whose requests go to the handlers. */
export class Page extends AbstractChat<UIMessage> {
  constructor(
    handlers: ChatHandlers,
    id: string,
    messages: UIMessage[] = [],
    init: Partial<ChatInit<UIMessage>> = {},
  ) {
    const fetch = (input: unknown, options?: RequestInit): Promise<Response> => {
      const url = new URL(String(input), "http://localhost");
      if (this.since !== undefined) url.searchParams.set("since", String(this.since));
      const request = new Request(url, options);
      return request.method === "POST" ? handlers.post(request) : handlers.resume(request);
    };
    const { messages: _, ...rest } = init;
    super({ id, transport: new DefaultChatTransport({ fetch }), state: new PageState(messages), ...rest });
  }

  /** The revision that the page was loaded at. */
  since?: number;

  /** A page as it is when a chat is opened: with what is stored, and soon with what is being written. */
  static async load(handlers: ChatHandlers, store: SessionStore, id: string): Promise<Page> {
    const { messages, revision } = await loadChat(store, id);
    const page = new Page(handlers, id, messages);
    page.since = revision;
    return page;
  }

  /** What is said on the page. */
  get texts(): readonly string[] {
    return this.messages.map(textOfMessage);
  }
}

export function textOfMessage({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
