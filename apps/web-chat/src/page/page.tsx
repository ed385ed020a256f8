import { type ReactElement, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Chat } from "./chat.js";
import { type LoadedChat, loadedChat } from "./loaded-chat.js";

/** The chat of the URL. A new chat gets a new URL. */
function chatId(): string {
  const given = new URLSearchParams(location.search).get("chat");
  if (given !== null) return given;
  const id = crypto.randomUUID();
  history.replaceState(null, "", `?chat=${id}`);
  return id;
}

function Page({ id }: { readonly id: string }): ReactElement {
  const [loads, setLoads] = useState(0);
  const [chat, setChat] = useState<{ readonly of: number; readonly loaded: LoadedChat }>();
  useEffect(() => {
    const leaving = new AbortController();
    loadedChat(id, leaving.signal).then(
      (loaded) => setChat({ of: loads, loaded }),
      (error: unknown) => {
        if (!leaving.signal.aborted) throw error;
      },
    );
    return () => leaving.abort();
  }, [id, loads]);
  if (chat === undefined) return <p>Loading…</p>;
  return <Chat key={chat.of} id={id} chat={chat.loaded} onStale={() => setLoads((count) => count + 1)} />;
}

const root = document.querySelector("#root");
if (root !== null) createRoot(root).render(<Page id={chatId()} />);
