import { SessionError } from "@sessions/protocol";

/** `…/:id/stream`, as the SDK's transport asks for it, or `…/:id`. INVALID_ARGUMENT if it cannot be read. */
export function chatIdIn({ url }: Request): string {
  const segments = new URL(url).pathname.split("/").filter((segment) => segment !== "");
  const last = segments.at(-1);
  const isVerb = segments.length > 1 && (last === "stream" || last === "stop");
  try {
    return decodeURIComponent(segments.at(isVerb ? -2 : -1) ?? "");
  } catch (cause) {
    throw SessionError.of("INVALID_ARGUMENT", "url has a chat's id with a % that encodes nothing.", {
      path: "url",
      cause,
    });
  }
}

/** What `loadChat` told the page, if the page says so. */
export function sinceIn({ url }: Request): number {
  const since = new URL(url).searchParams.get("since");
  return since === null ? Number.POSITIVE_INFINITY : Number(since);
}
