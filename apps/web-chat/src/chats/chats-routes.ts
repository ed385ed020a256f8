import { SessionError, type SessionStore } from "@sessions/json-file";
import { chatListStream } from "./chat-list-stream.js";
import { MAX_TITLE_CHARACTERS } from "./chat-summary.js";

/** The most chats that a page lists. */
const MAX_CHATS = 1000;

/** What the routes of the list need. */
export interface ChatsRoutesOptions {
  readonly store: SessionStore;
  /** Stops the answer that is being written in a chat. */
  readonly stop: (request: Request, chatId: string) => Promise<Response>;
}

/**
 * The routes of the list of chats, or `undefined` for another path:
 * - `GET /api/chats?open=ID&limit=N`: the list, as server-sent events;
 * - `PATCH /api/chats/:id` with `{ title }`: gives a chat another title;
 * - `DELETE /api/chats/:id`: deletes a chat.
 */
export async function chatsResponse(
  options: ChatsRoutesOptions,
  request: Request,
): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  const [, segment] = /^\/api\/chats(?:\/([^/]+))?$/.exec(pathname) ?? [pathname, ""];
  if (segment === "") return undefined;
  try {
    if (segment === undefined)
      return request.method === "GET" ? list(options, request, searchParams) : notAllowed();
    const id = decoded(segment);
    if (request.method === "PATCH") return await rename(options, request, id);
    if (request.method === "DELETE") return await remove(options, request, id);
    return notAllowed();
  } catch (error) {
    return refusalFor(error);
  }
}

function list({ store }: ChatsRoutesOptions, { signal }: Request, query: URLSearchParams): Response {
  const limit = Number(query.get("limit") ?? "50");
  const open = query.get("open") ?? "";
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_CHATS)
    return refusal(400, `limit must be a whole number from 1 to ${MAX_CHATS}.`);
  if (open === "") return refusal(400, "open must be the id of a chat.");
  return chatListStream(store, { open, limit }, signal);
}

async function rename({ store }: ChatsRoutesOptions, request: Request, id: string): Promise<Response> {
  const title = titleIn(await request.text());
  if (title === undefined)
    return refusal(400, `The body must be { "title": … } with 1 to ${MAX_TITLE_CHARACTERS} characters.`);
  await store.patchSession(id, { title });
  return Response.json({ title });
}

function titleIn(body: string): string | undefined {
  const value: unknown = JSON.parse(body);
  const given: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "title") : undefined;
  const title = typeof given === "string" ? given.trim() : "";
  return title === "" || [...title].length > MAX_TITLE_CHARACTERS ? undefined : title;
}

/** The answer is stopped first: whoever writes it would find its chat gone. */
async function remove({ store, stop }: ChatsRoutesOptions, request: Request, id: string): Promise<Response> {
  const stopped = await stop(request, id);
  if (!stopped.ok) return stopped;
  return Response.json({ deleted: await store.deleteSession(id) });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new SyntaxError("The id of the chat has a % that encodes nothing.", { cause });
  }
}

/** The text of other errors is not sent: it may name files and hosts. */
function refusalFor(error: unknown): Response {
  if (error instanceof SyntaxError) return refusal(400, "The request is not valid.");
  if (SessionError.is(error, "INVALID_ARGUMENT")) return refusal(400, "The request is not valid.");
  if (SessionError.is(error, "TOO_LARGE")) return refusal(413, "The request is too large.");
  if (SessionError.is(error, "SESSION_NOT_FOUND")) return refusal(404, "There is no such chat.");
  console.error(error);
  return refusal(SessionError.is(error) && error.retryable ? 503 : 500, "An error occurred.");
}

const notAllowed = (): Response => refusal(405, "Not here.");

function refusal(status: number, text: string): Response {
  return new Response(text, { status });
}
