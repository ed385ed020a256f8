import { describe, expectTypeOf, test } from "vitest";
import {
  append,
  type BeginTurnResult,
  count,
  type Listing,
  type Message,
  type MessageInput,
  type MutationResult,
  type OperationInput,
  type Page,
  type Session,
  SessionError,
  type SessionStore,
  type SessionSummary,
} from "../../src/index.js";

declare const store: SessionStore;

describe("messages as callers have them", () => {
  test("a literal may have any JSON field, and must have a role", () => {
    void store.addMessage("s", { role: "user", content: "hi", name: "ann", tool_calls: [{ id: "1" }] });
    // @ts-expect-error a message has a role
    void store.addMessage("s", { content: "hi" });
    // @ts-expect-error an id is a string
    void store.addMessage("s", { role: "user", id: 7 });
  });

  test("interfaces without an index signature are accepted", () => {
    interface ModelMessage {
      role: "user" | "assistant";
      content: string | { type: "text"; text: string }[];
      providerOptions?: Record<string, unknown>;
    }
    interface UIMessage {
      id: string;
      role: "system" | "user" | "assistant";
      metadata?: unknown;
      parts: { type: "text"; text: string; state?: "streaming" | "done" }[];
    }
    expectTypeOf<ModelMessage>().toExtend<MessageInput>();
    expectTypeOf<UIMessage>().toExtend<MessageInput>();
    expectTypeOf<readonly ModelMessage[]>().toExtend<Parameters<SessionStore["setChatHistory"]>[1]>();
  });

  test("messages that were read can be passed back", () => {
    expectTypeOf<Message>().toExtend<MessageInput>();
    expectTypeOf<Message[]>().toExtend<Parameters<SessionStore["setChatHistory"]>[1]>();
  });

  test("methods accept one message or several", () => {
    expectTypeOf(store.addMessage).toBeCallableWith("s", [{ role: "user" }, { role: "assistant" }]);
    expectTypeOf(store.removeMessages).toBeCallableWith("s", "one");
    expectTypeOf(store.removeMessages).toBeCallableWith("s", ["one", "two"]);
  });
});

describe("results", () => {
  test("mutating methods return the revision, whether the call was a duplicate, and the messages", () => {
    expectTypeOf(store.addMessage("s", { role: "user" })).resolves.toEqualTypeOf<MutationResult>();
    expectTypeOf<MutationResult["messages"]>().toEqualTypeOf<Message[]>();
    expectTypeOf(store.forkSession("s")).resolves.toHaveProperty("sessionId").toBeString();
    expectTypeOf(store.deleteSession("s")).resolves.toBeBoolean();
  });

  test("the type of a read includes undefined", () => {
    expectTypeOf(store.getSession("s")).resolves.toEqualTypeOf<Session | undefined>();
    expectTypeOf(store.search).extract<undefined>().toBeUndefined();
  });

  test("a listing is a page when awaited and sessions when iterated", () => {
    expectTypeOf(store.listSessions()).toEqualTypeOf<Listing<SessionSummary>>();
    expectTypeOf<Awaited<Listing<SessionSummary>>>().toEqualTypeOf<Page<SessionSummary>>();
    expectTypeOf<Listing<SessionSummary>>().toExtend<AsyncIterable<SessionSummary>>();
  });

  test("the status distinguishes a begun turn from a duplicate", () => {
    const check = (result: BeginTurnResult): void => {
      if (result.status === "begun") expectTypeOf(result.turn.signal).toEqualTypeOf<AbortSignal>();
      // @ts-expect-error a duplicate has no turn
      else void result.turn;
    };
    expectTypeOf(check).toBeFunction();
  });
});

describe("options", () => {
  test("options with a closed set of values are checked", () => {
    void store.addMessage("s", { role: "user" }, { onExisting: "keep", commitId: "c", ifRevision: 3 });
    // @ts-expect-error not one of fail, keep, replace
    void store.addMessage("s", { role: "user" }, { onExisting: "overwrite" });
    // @ts-expect-error not an order
    void store.listSessions({ order: "newest" });
    // @ts-expect-error a misspelt option
    void store.addMessage("s", { role: "user" }, { commitID: "c" });
  });

  test("a computed change returns operations, not a promise of them", () => {
    void store.updateSession("s", (session) => [count({ n: session?.messageCount ?? 0 })]);
    // @ts-expect-error an async callback
    void store.updateSession("s", async () => [count({ n: 1 })]);
  });

  test("commit accepts the results of the builders", () => {
    expectTypeOf(append({ role: "user", content: "hi" })).toEqualTypeOf<OperationInput>();
    expectTypeOf(store.commit).toBeCallableWith("s", [append({ role: "user" }), count({ turns: 1 })]);
  });
});

describe("handles", () => {
  test("have the same methods without the id", () => {
    const session = store.session("s");
    expectTypeOf(session.addMessage).parameters.toEqualTypeOf<
      Parameters<SessionStore["addMessage"]> extends [string, ...infer Rest] ? Rest : never
    >();
    expectTypeOf(session.getChatHistory()).resolves.toEqualTypeOf<Message[]>();
    // @ts-expect-error the id is not given again
    void session.getSession("s");
  });
});

describe("SessionError.is", () => {
  test("narrows to the fields of the code", () => {
    const check = (error: unknown): void => {
      if (SessionError.is(error, "REVISION_CONFLICT")) {
        expectTypeOf(error.actual).toBeNumber();
        expectTypeOf(error.code).toEqualTypeOf<"REVISION_CONFLICT">();
        // @ts-expect-error not a field of this code
        void error.messageId;
      }
      if (SessionError.is(error, "MESSAGE_NOT_FOUND", "MESSAGE_ID_TAKEN"))
        expectTypeOf(error.messageId).toBeString();
      if (SessionError.is(error)) expectTypeOf(error.retryable).toBeBoolean();
      // @ts-expect-error not a code
      SessionError.is(error, "NOT_A_CODE");
    };
    expectTypeOf(check).toBeFunction();
  });
});
