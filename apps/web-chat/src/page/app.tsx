import { type ReactElement, useEffect, useRef, useState } from "react";
import { ChatPanel } from "./chat/chat-panel.js";
import { useChatAddress } from "./chat-address.js";
import { ChatHeader } from "./chat-header.js";
import { Sidebar } from "./list/sidebar.js";
import { type LiveChatList, useChatList } from "./list/use-chat-list.js";
import { useDrawer } from "./list/use-drawer.js";
import { Notice } from "./notice.js";

/** How many chats the list shows at first, and how many more each time. */
const PAGE = 50;

/** The list of chats, and the open one. */
export function App(): ReactElement {
  const [id, openChat] = useChatAddress();
  const [limit, setLimit] = useState(PAGE);
  const [problem, setProblem] = useState<string>();
  /** What is being written, by chat. */
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map());
  const list = useChatList(id, limit);
  const drawer = useDrawer();
  const composer = useRef<HTMLTextAreaElement>(null);
  const title = titleOf(list.open);
  useEffect(() => {
    document.title = `${title} · Web chat`;
  }, [title]);

  const go = (next: string): void => {
    openChat(next);
    setProblem(undefined);
    drawer.close();
    composer.current?.focus();
  };
  const perform = (action: Promise<void>): Promise<void> =>
    action.then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );

  return (
    <div className="app">
      <Sidebar
        drawer={drawer}
        openId={id}
        list={list}
        onOpen={go}
        onNew={() => go(crypto.randomUUID())}
        onMore={() => setLimit((before) => before + PAGE)}
        perform={perform}
      />
      <main inert={drawer.isOpen}>
        <ChatHeader title={title} drawer={drawer} />
        <Notice connection={list.connection} problem={problem} onDismiss={() => setProblem(undefined)} />
        <ChatPanel
          key={id}
          id={id}
          open={list.open}
          isOffline={list.connection === "lost"}
          composer={composer}
          draft={drafts.get(id) ?? ""}
          onDraft={(change) => setDrafts((all) => new Map(all).set(id, change(all.get(id) ?? "")))}
          perform={perform}
          onNew={() => go(crypto.randomUUID())}
        />
      </main>
    </div>
  );
}

function titleOf(open: LiveChatList["open"]): string {
  if (open === undefined || open === "absent") return "New chat";
  return open === "damaged" ? "Damaged chat" : (open.title ?? "Untitled chat");
}
