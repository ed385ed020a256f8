import { useEffect, useState } from "react";

/** The address of a chat. */
export const addressOf = (id: string): string => `?chat=${encodeURIComponent(id)}`;

/** The id of the open chat, which the address of the page has, and a function that opens another one. */
export function useChatAddress(): readonly [id: string, open: (id: string) => void] {
  const [id, setId] = useState(chatId);
  useEffect(() => {
    const follow = (): void => setId(chatId());
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const open = (next: string): void => {
    if (next !== id) history.pushState(null, "", addressOf(next));
    setId(next);
  };
  return [id, open];
}

/** An address without a chat gets a new one. */
function chatId(): string {
  const given = new URLSearchParams(location.search).get("chat");
  if (given !== null && given !== "") return given;
  const id = crypto.randomUUID();
  history.replaceState(null, "", addressOf(id));
  return id;
}
