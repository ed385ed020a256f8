import type { SessionStore } from "../api/session-store.js";
import { invalid } from "../arguments/invalid-argument.js";
import { type OptionNames, plainCopy, requireOptions } from "../arguments/options.js";
import type { JsonObject } from "../json/json.js";
import type { MessageInput } from "../message/message-input.js";
import { requireStore } from "../validate/require-store.js";
import { BoundTypedSession } from "./bound-typed-session.js";
import { isSchema, requireSchema } from "./check-schema.js";
import { SchemaChecks } from "./schema-checks.js";
import type { StandardSchemaV1 } from "./standard-schema.js";
import type { TypedSession } from "./typed-session.js";

/** The schemas of a store's sessions. */
export interface SessionSchemas<Shape, Values> {
  /** What a message may be. It validates every message that is written with the typed session, as it is given. */
  readonly message?: StandardSchemaV1<Shape, unknown> | undefined;
  /** What the values of metadata may be, by key. Other keys cannot be written with the typed session. */
  readonly metadata?: { readonly [Key in keyof Values]: StandardSchemaV1<Values[Key], unknown> } | undefined;
  /** Validate what is read too: SCHEMA_MISMATCH if something is stored that does not match. @default false */
  readonly validateReads?: boolean | undefined;
}

const SESSION_SCHEMAS: OptionNames<SessionSchemas<unknown, unknown>> = {
  message: true,
  metadata: true,
  validateReads: "boolean",
};

/** The sessions of a store, with typed messages and metadata. */
export interface TypedSessions<Shape, Values> {
  /** One session. Does no I/O. */
  session(id: string): TypedSession<Shape, Values>;
}

/**
 * Types the messages and the metadata of a store's sessions, by schemas of any library that implements Standard Schema. What is written
 * is validated before anything is stored; what is read, if `validateReads` says so. Schemas validate and do not transform: what was
 * given is stored, and typed as the schema's input.
 *
 * Without schemas the types are type arguments, `typedSessions<MyMessage, MyMetadata>(store)`, and **unchecked**: nothing is validated,
 * neither when it is written nor when it is read.
 *
 * @example
 * ```ts
 * interface Said { role: "user" | "assistant"; content: string }
 *
 * const chats = typedSessions<Said, { topic: string }>(store); // unchecked: there is no schema
 * const chat = chats.session("user-42");
 * await chat.addMessage({ role: "user", content: "Hello." });
 * const [first] = await chat.getChatHistory();
 * console.log(first?.content.toUpperCase());
 * ```
 */
export function typedSessions<Shape extends MessageInput = MessageInput, Values extends object = JsonObject>(
  store: SessionStore,
  schemas?: SessionSchemas<Shape, Values>,
): TypedSessions<Shape, Values>;
export function typedSessions(
  store: SessionStore,
  schemas: SessionSchemas<MessageInput, JsonObject> = {},
): TypedSessions<MessageInput, JsonObject> {
  requireStore(store);
  const { message, metadata, validateReads = false } = requireOptions(schemas, SESSION_SCHEMAS, "schemas");
  if (message !== undefined) requireSchema(message, "schemas.message");
  if (isSchema(metadata))
    throw invalid("schemas.metadata", "must hold a schema for each key: { topic: schema }, not one for all.");
  const values = metadata === undefined ? undefined : plainCopy(metadata, "schemas.metadata");
  for (const [key, schema] of Object.entries(values ?? {})) requireSchema(schema, `schemas.metadata.${key}`);
  const checks = new SchemaChecks({ message, metadata: values, validateReads });
  return { session: (id) => new BoundTypedSession(store.session(id), checks) };
}
