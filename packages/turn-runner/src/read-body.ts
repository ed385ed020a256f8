import { SessionError } from "@sessions/protocol";

/** Reads the body of a request. TOO_LARGE past `maxBytes`, and the rest is not read. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    chunks.push(next.value);
    length += next.value.byteLength;
    if (length <= maxBytes) continue;
    // Not awaited: a client that keeps sending must not delay the response.
    void Promise.allSettled([reader?.cancel()]);
    throw tooLarge(maxBytes);
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

function tooLarge(limit: number): SessionError {
  return SessionError.of("TOO_LARGE", `body has more than ${limit} bytes.`, { path: "body", limit });
}
