import { invalid } from "../arguments/invalid-argument.js";
import { DEFAULT_LIMITS } from "../arguments/limits.js";
import { copyItems, requireEntries } from "../arguments/lists.js";
import { suggestion } from "../arguments/suggestion.js";
import { SessionError } from "../errors/session-error.js";
import { cloneJson } from "../json/clone-json.js";
import type { JsonObject } from "../json/json.js";
import { jsonPath } from "../json/json-path.js";
import type { Message } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import { checkSchema } from "./check-schema.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

type Schema = StandardSchemaV1<unknown, unknown>;
type Check = () => Promise<void> | undefined;

/** A checked copy of an argument. Nobody else can change it, also while an asynchronous schema decides. */
export interface Checked<Value> {
  readonly value: Value;
  /** Settles when all schemas have decided; absent if they have. */
  readonly decided?: Promise<unknown>;
}

/** Checks what is written and what is read against the schemas of `typedSessions`. */
export class SchemaChecks {
  readonly #message: Schema | undefined;
  readonly #metadata: ReadonlyMap<string, Schema> | undefined;
  readonly #validatesReads: boolean;

  constructor(given: {
    readonly message: Schema | undefined;
    readonly metadata: Readonly<Record<string, Schema>> | undefined;
    readonly validateReads: boolean;
  }) {
    this.#message = given.message;
    this.#metadata = given.metadata && new Map(Object.entries(given.metadata));
    this.#validatesReads = given.validateReads;
  }

  givenMessage(message: MessageInput, path: string): Checked<MessageInput> {
    const schema = this.#message;
    if (schema === undefined) return { value: message };
    const value = copyOf(message, path);
    return decided(value, [() => checkSchema(schema, value, path, refusedArgument)]);
  }

  givenMessages(messages: readonly MessageInput[], path: string): Checked<readonly MessageInput[]> {
    const schema = this.#message;
    if (schema === undefined) return { value: messages };
    const value = copyItems(messages, path, DEFAULT_LIMITS).map((message, index) =>
      copyOf(message, `${path}[${index}]`),
    );
    return decided(
      value,
      value.map((message, index) => () => checkSchema(schema, message, `${path}[${index}]`, refusedArgument)),
    );
  }

  /** A key without a schema is refused; `null` removes a key, and needs no check. */
  givenPatch<Patch extends object>(patch: Patch): Checked<Patch> {
    const schemas = this.#metadata;
    if (schemas === undefined) return { value: patch };
    const checks: Check[] = [];
    const value = mapped(patch, "metadata", (item, path, key) => {
      const schema = schemas.get(key);
      if (schema === undefined) throw withoutSchema(path, key, [...schemas.keys()]);
      if (item === null || item === undefined) return item; // the store refuses the second, with a hint
      const copy = cloneJson(item, path).value;
      checks.push(() => checkSchema(schema, copy, path, refusedArgument));
      return copy;
    });
    return decided(value, checks);
  }

  /** Fails with SCHEMA_MISMATCH at the first message that does not match, if reads are validated. */
  async readMessages(sessionId: string, messages: readonly Message[]): Promise<void> {
    const schema = this.#message;
    if (schema === undefined || !this.#validatesReads) return;
    for (const message of messages) {
      const { id: messageId } = message;
      const what = `Message "${messageId}" of session "${sessionId}"`;
      const pending = checkSchema(schema, message, "message", (path, problem) =>
        mismatch(what, { sessionId, messageId, path }, problem),
      );
      if (pending !== undefined) await pending;
    }
  }

  /** The same for the keys of metadata that have schemas. */
  async readMetadata(sessionId: string, metadata: JsonObject): Promise<void> {
    if (this.#metadata === undefined || !this.#validatesReads) return;
    for (const [key, schema] of this.#metadata) {
      if (!Object.hasOwn(metadata, key)) continue;
      await checkSchema(schema, metadata[key], jsonPath("metadata", [key]), (path, problem) =>
        mismatch(`The metadata of session "${sessionId}"`, { sessionId, path }, problem),
      );
    }
  }
}

/** Runs the checks. Throws if one refuses at once; where another one is still pending then, its outcome is waited for too. */
function decided<Value>(value: Value, checks: readonly Check[]): Checked<Value> {
  const pending: Promise<unknown>[] = [];
  for (const check of checks) {
    try {
      const decision = check();
      if (decision !== undefined) pending.push(decision);
    } catch (error) {
      if (pending.length === 0) throw error;
      pending.push(Promise.reject(error));
    }
  }
  return pending.length === 0 ? { value } : { value, decided: Promise.all(pending) };
}

/** A deep copy, as the store would make it. Refuses what is not JSON. */
function copyOf<Given extends object>(given: Given, path: string): Given;
function copyOf(given: object, path: string): unknown {
  return cloneJson(given, path).value;
}

/** The same keys with other values. */
function mapped<Given extends object>(
  given: Given,
  path: string,
  change: (item: unknown, path: string, key: string) => unknown,
): Given;
function mapped(
  given: object,
  path: string,
  change: (item: unknown, path: string, key: string) => unknown,
): object {
  const entries = requireEntries(given, path, Number.POSITIVE_INFINITY);
  return Object.fromEntries(entries.map(([key, item]) => [key, change(item, jsonPath(path, [key]), key)]));
}

function refusedArgument(path: string, problem: string): SessionError {
  return invalid(path, `does not match the schema: ${problem}`);
}

function withoutSchema(path: string, key: string, known: readonly string[]): SessionError {
  return invalid(path, `has no schema.${suggestion(key, known) || ` There are ${known.join(", ")}.`}`);
}

function mismatch(
  what: string,
  fields: { readonly sessionId: string; readonly messageId?: string; readonly path: string },
  problem: string,
): SessionError {
  const message = `${what} does not match the schema at ${fields.path}: ${problem} It is stored as it was written. Read it without types, and correct it or the schema.`;
  return SessionError.of("SCHEMA_MISMATCH", message, fields);
}
