import { SessionError } from "@sessions/protocol";
import { invalid, isFields, readBody } from "@sessions/turn-runner";
import type { UIMessage } from "ai";
import { isUIMessage } from "../messages/stored-message.js";

/** A request of `useChat`. */
export interface ChatRequest {
  readonly chatId: string;
  /** All messages of the page, or only the last one. */
  readonly messages: readonly UIMessage[];
  readonly trigger: "submit-message" | "regenerate-message";
  readonly messageId?: string;
}

/** Reads a request of the SDK's transports. INVALID_ARGUMENT if it is none. */
export async function readChatRequest(request: Request, maxBodyBytes: number): Promise<ChatRequest> {
  requireJson(request);
  const body: unknown = await json(request, maxBodyBytes);
  if (!isFields(body)) throw invalid("body", "must be an object: { id, messages }.");
  const { id, trigger = "submit-message", messageId } = body;
  const messages: unknown = body["messages"] ?? [body["message"]];
  if (typeof id !== "string" || id === "") throw invalid("body.id", "must be the id of a chat.");
  if (trigger !== "submit-message" && trigger !== "regenerate-message")
    throw invalid("body.trigger", `is not known: ${String(trigger)}.`);
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid("body.messages", "must be messages, or body.message one.");
  return {
    chatId: id,
    messages: messages.map((message, index) => requireMessage(message, `body.messages[${index}]`)),
    trigger,
    ...(typeof messageId === "string" ? { messageId } : {}),
  };
}

/** A page of another site can make a browser send text and forms with the user's cookies, but not JSON. */
function requireJson({ headers }: Request): void {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() === "application/json") return;
  const refusal = { status: 415, headers: { "x-session-error": "CONTENT_TYPE" } };
  throw new Response("The request must be JSON: content-type application/json.", refusal);
}

async function json(request: Request, maxBodyBytes: number): Promise<unknown> {
  const body = await readBody(request, maxBodyBytes);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw SessionError.of("INVALID_ARGUMENT", "body must be JSON.", { path: "body", cause });
  }
}

/** System messages come from the server only. */
function requireMessage(message: unknown, path: string): UIMessage {
  if (!isUIMessage(message)) throw invalid(path, "must be a UIMessage: { id, role, parts }.");
  if (message.id === "") throw invalid(`${path}.id`, "must not be empty.");
  if (message.role === "system") throw invalid(`${path}.role`, "must not be system.");
  return message;
}
