import type { MutationResult } from "../api/mutation.js";
import type { SessionHandle } from "../api/session-handle.js";
import type { JsonObject } from "../json/json.js";
import type { Message } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import { many } from "../operations/builders.js";
import type { Session } from "../session/session.js";
import type { Checked, SchemaChecks } from "./schema-checks.js";
import type { TypedSession } from "./typed-session.js";

type Typed = TypedSession<MessageInput, JsonObject>;
type Parameters<Method extends keyof Typed> = Typed[Method] extends (...call: infer Call) => unknown
  ? Call
  : never;

/** The one implementation of `TypedSession`: types are for the compiler alone. */
export class BoundTypedSession implements Typed {
  readonly id: string;
  readonly untyped: SessionHandle;
  readonly #checks: SchemaChecks;

  constructor(untyped: SessionHandle, checks: SchemaChecks) {
    this.id = untyped.id;
    this.untyped = untyped;
    this.#checks = checks;
  }

  // What can be decided at once is handed on in the same tick, so that calls keep their order.
  async addMessage(...[messages, options]: Parameters<"addMessage">): Promise<MutationResult> {
    const checked = this.#given(messages);
    if (checked.decided !== undefined) await checked.decided;
    return this.untyped.addMessage(checked.value, options);
  }

  async getChatHistory(...call: Parameters<"getChatHistory">): Promise<Message[]> {
    return this.#read(await this.untyped.getChatHistory(...call));
  }

  async getMessages(...call: Parameters<"getMessages">): Promise<Message[]> {
    return this.#read(await this.untyped.getMessages(...call));
  }

  async setChatHistory(...[messages, options]: Parameters<"setChatHistory">): Promise<MutationResult> {
    const checked = this.#checks.givenMessages(messages, "messages");
    if (checked.decided !== undefined) await checked.decided;
    return this.untyped.setChatHistory(checked.value, options);
  }

  async updateMessage(
    ...[messageId, message, options]: Parameters<"updateMessage">
  ): Promise<MutationResult> {
    const checked = this.#checks.givenMessage(message, "message");
    if (checked.decided !== undefined) await checked.decided;
    return this.untyped.updateMessage(messageId, checked.value, options);
  }

  async getSession(...call: Parameters<"getSession">): Promise<Session | undefined> {
    const session = await this.untyped.getSession(...call);
    if (session === undefined) return undefined;
    await this.#checks.readMessages(this.id, session.messages);
    await this.#checks.readMetadata(this.id, session.metadata);
    return session;
  }

  async updateSessionMetadata(
    ...[patch, options]: Parameters<"updateSessionMetadata">
  ): Promise<MutationResult> {
    const checked = this.#checks.givenPatch(patch);
    if (checked.decided !== undefined) await checked.decided;
    return this.untyped.updateSessionMetadata(checked.value, options);
  }

  async checkedMessages(...[messages]: Parameters<"checkedMessages">): Promise<MessageInput[]> {
    const checked = this.#given(messages);
    if (checked.decided !== undefined) await checked.decided;
    return [...checked.value];
  }

  #given(messages: Parameters<"checkedMessages">[0]): Checked<readonly MessageInput[]> {
    return this.#checks.givenMessages(many(messages), "messages");
  }

  async #read(messages: Message[]): Promise<Message[]> {
    await this.#checks.readMessages(this.id, messages);
    return messages;
  }
}
