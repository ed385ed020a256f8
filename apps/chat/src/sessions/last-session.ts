import { SessionError, type SessionStore } from "@sessions/json-file";

/** A session beside the conversations. It has no messages and not the agent's label, so that no list shows it. */
const SETTINGS = "chat-settings";
const KEY = "lastSession";

/** The next start goes on with this conversation. */
export async function rememberSession(store: SessionStore, sessionId: string): Promise<void> {
  if (!(await store.sessionExists(SETTINGS))) await makeSettings(store);
  await store.updateSessionMetadata(SETTINGS, { [KEY]: sessionId });
}

/** The conversation that was used last; `undefined` if there is none, or if nothing was ever said in it. */
export async function lastSession(store: SessionStore): Promise<string | undefined> {
  const settings = await store.getSession(SETTINGS, { messages: "none" });
  const sessionId = settings?.metadata[KEY];
  return typeof sessionId === "string" && (await store.sessionExists(sessionId)) ? sessionId : undefined;
}

async function makeSettings(store: SessionStore): Promise<void> {
  try {
    await store.createSession(SETTINGS);
  } catch (error) {
    // Another chat began in the same moment.
    if (!SessionError.is(error, "SESSION_EXISTS")) throw error;
  }
}
