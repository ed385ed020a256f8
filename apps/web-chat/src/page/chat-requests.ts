/** Requests that change a chat. Each throws an error whose message says what was not done. */

const url = (list: "chat" | "chats", id: string): string => `/api/${list}/${encodeURIComponent(id)}`;

export async function stopAnswer(id: string): Promise<void> {
  await send("The answer was not stopped", url("chat", id), { method: "DELETE" });
}

export async function renameChat(id: string, title: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ title });
  await send("The chat was not renamed", url("chats", id), { method: "PATCH", headers, body });
}

export async function deleteChat(id: string): Promise<void> {
  await send("The chat was not deleted", url("chats", id), { method: "DELETE" });
}

async function send(failure: string, address: string, request: RequestInit): Promise<void> {
  const response = await fetch(address, request).catch((cause: unknown) => {
    throw new Error(`${failure}: the server does not answer.`, { cause });
  });
  if (!response.ok) throw new Error(`${failure}: ${await response.text()}`);
}
