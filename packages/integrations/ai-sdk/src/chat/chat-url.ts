import { SessionError } from "@sessions/protocol";

/** The chat's id in `…/:id/stream`, the URL of the SDK's transport, or in `…/:id`. INVALID_ARGUMENT if it cannot be decoded. */
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

/** The revision that the page got from `loadChat`, if it sends one. */
export function sinceIn({ url }: Request): number {
  const since = new URL(url).searchParams.get("since");
  return since === null ? Number.POSITIVE_INFINITY : Number(since);
}
