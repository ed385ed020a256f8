import type { IncomingHttpHeaders } from "node:http";

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** The parts of a request that are checked before its body is read. */
export interface GuardedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** More than any prompt needs. */
export const MAX_BODY_BYTES: number = 1024 * 1024;

export const TOO_LARGE: Refusal = { status: 413, text: `A request has at most ${MAX_BODY_BYTES} bytes.` };

/**
 * Whether a request comes from the page of this server. The server listens on this machine only, but every site in the
 * user's browser can send requests to it:
 * - under a name of its own that leads to 127.0.0.1 (DNS rebinding): its `Host` is not one of `hosts`;
 * - from its own page: a browser says so in `Sec-Fetch-Site` or `Origin`;
 * - from an old browser that says neither: it cannot send JSON to another site without asking first, and the handlers take
 *   nothing else.
 */
export function refusalOf(
  { path, headers }: GuardedRequest,
  hosts: ReadonlySet<string>,
): Refusal | undefined {
  const { host, origin, "sec-fetch-site": site } = headers;
  if (host === undefined || !hosts.has(host.toLowerCase()))
    return { status: 403, text: "This server does not answer to that name. See --allow-host." };
  const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
  const isApi = path.startsWith("/api/");
  if (isApi && isForeign) return { status: 403, text: "Another site may not use this chat." };
  if (isApi && origin !== undefined && !isOwn(origin, hosts))
    return { status: 403, text: "Another site may not use this chat." };
  return Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES ? TOO_LARGE : undefined;
}

function isOwn(origin: string, hosts: ReadonlySet<string>): boolean {
  const [, host] = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase()) ?? [];
  return host !== undefined && hosts.has(host);
}
