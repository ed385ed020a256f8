import { invalid } from "@sessions/turn-runner";

/** The id of a chat's session. A namespace has no slash, so two pairs of namespace and key never give the same id. */
export function chatSessionId(namespace: string, key: string): string {
  return `${namespace}/${key}`;
}

export function requireNamespace(namespace: unknown): string {
  if (typeof namespace === "string" && namespace !== "" && !namespace.includes("/")) return namespace;
  throw invalid("options.namespace", "must be a string that is not empty, without a slash.");
}
