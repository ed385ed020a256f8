import type { ForcibleOptions, MutationOptions, MutationResult, ReadOptions } from "../api/mutation.js";
import type { GetSessionOptions, HistoryQuery } from "../api/queries.js";
import type { SessionHandle } from "../api/session-handle.js";
import type { Json } from "../json/json.js";
import type { Message } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import type { OneOrMany } from "../operations/builders.js";
import type { OnExisting } from "../operations/operation.js";
import type { Session } from "../session/session.js";

/** A message as it is given: yours, with the fields that the store would add. */
export type GivenMessage<Shape> = Shape & Partial<Pick<Message, "id" | "createdAt" | "status">>;

/** A message as it is read: yours, with the fields that the store has added. */
export type TypedMessage<Shape> =
  IsSame<Shape, MessageInput> extends true ? Message : Shape & Pick<Message, "id" | "createdAt" | "status">;

// `extends` would not do: a shape with optional fields is one that any input has.
type IsSame<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** The metadata of a session. Any key may be absent; keys without a type of yours belong to others. */
export type TypedMetadata<Values> = { readonly [Key in keyof Values]?: Values[Key] } & {
  readonly [key: string]: Json | undefined;
};

/** A session as it is read, with typed messages and metadata. */
export type TypedSessionState<Shape, Values> = Omit<Session, "messages" | "metadata"> & {
  readonly messages: readonly TypedMessage<Shape>[];
  readonly metadata: TypedMetadata<Values>;
};

/** The result of a change, with the messages that were added. */
export type TypedMutationResult<Shape> = Omit<MutationResult, "messages"> & {
  readonly messages: TypedMessage<Shape>[];
};

/** One session whose messages and metadata are typed. `typedSessions` makes it. Its methods are those of the store. */
export interface TypedSession<Shape, Values> {
  readonly id: string;
  /** The same session without types, for everything else. What is written with it is not validated. */
  readonly untyped: SessionHandle;
  /** Adds one or several messages, all or none. If one does not match the schema: INVALID_ARGUMENT, and nothing is written. */
  addMessage(
    messages: OneOrMany<GivenMessage<Shape>>,
    options?: MutationOptions & { readonly onExisting?: OnExisting | undefined },
  ): Promise<TypedMutationResult<Shape>>;
  /** The newest live messages, in order. */
  getChatHistory(query?: HistoryQuery): Promise<TypedMessage<Shape>[]>;
  /** Reads messages by id, live or archived. */
  getMessages(messageIds: readonly string[], options?: ReadOptions): Promise<TypedMessage<Shape>[]>;
  /** Replaces the live messages in one step. */
  setChatHistory(
    messages: readonly GivenMessage<Shape>[],
    options?: ForcibleOptions & { readonly base?: number | undefined },
  ): Promise<TypedMutationResult<Shape>>;
  /** Replaces one live message. */
  updateMessage(
    messageId: string,
    message: GivenMessage<Shape>,
    options?: MutationOptions,
  ): Promise<TypedMutationResult<Shape>>;
  /** Reads the session. `undefined` if there is none. */
  getSession(options?: GetSessionOptions): Promise<TypedSessionState<Shape, Values> | undefined>;
  /** Sets metadata keys. The others stay. `null` removes a key. */
  updateSessionMetadata(
    patch: { readonly [Key in keyof Values]?: Values[Key] | null },
    options?: MutationOptions,
  ): Promise<MutationResult>;
  /** Validates messages that are written another way: in a turn, or as operations of a commit. Returns checked copies. */
  checkedMessages(messages: OneOrMany<GivenMessage<Shape>>): Promise<MessageInput[]>;
}
