import { SessionError, type SessionStore } from "@sessions/json-file";

/** A session whose metadata has the id of the last conversation. It has no label of the agent, so no list shows it. */
const SETTINGS = "chat-settings";
const KEY = "lastSession";

/** Stores the conversation that the next start enters. */
export async function rememberSession(store: SessionStore, sessionId: string): Promise<void> {
  if (!(await store.sessionExists(SETTINGS))) await makeSettings(store);
  await store.updateSessionMetadata(SETTINGS, { [KEY]: sessionId });
}

/** The conversation that was used last, or `undefined` if there is none or if it does not exist. */
export async function lastSession(store: SessionStore): Promise<string | undefined> {
  const settings = await store.getSession(SETTINGS, { messages: "none" });
  const sessionId = settings?.metadata[KEY];
  return typeof sessionId === "string" && (await store.sessionExists(sessionId)) ? sessionId : undefined;
}

async function makeSettings(store: SessionStore): Promise<void> {
  try {
    await store.createSession(SETTINGS);
  } catch (error) {
    // Another chat has created it at the same time.
    if (!SessionError.is(error, "SESSION_EXISTS")) throw error;
  }
}
