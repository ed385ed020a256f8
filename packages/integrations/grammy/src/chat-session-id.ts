import { SessionError } from "@sessions/protocol";

/** Refuses an argument. `path` leads to it, `rule` says what it must be. */
export function invalid(path: string, rule: string): Error {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${rule}`, { path });
}

/** The session of a chat. A namespace without a slash cannot run into a key. */
export function chatSessionId(namespace: string, key: string): string {
  return `${namespace}/${key}`;
}

export function requireNamespace(namespace: unknown): string {
  if (typeof namespace === "string" && namespace !== "" && !namespace.includes("/")) return namespace;
  throw invalid("options.namespace", "must be a string that is not empty, without a slash.");
}
