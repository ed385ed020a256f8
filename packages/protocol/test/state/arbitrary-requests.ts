import fc from "fast-check";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import type { Json } from "../../src/json/json.js";
import type { ContentPart, MessageDraft } from "../../src/message/message.js";
import type { Keep, Operation } from "../../src/operations/operation.js";
import type { SessionDocument } from "../../src/session/session-document.js";
import { applyCommit } from "../../src/state/apply-commit.js";
import { documentOf } from "../../src/state/documents/document-of.js";
import type { SessionState } from "../../src/state/session-state.js";
import { json } from "../json/arbitrary-json.js";

/** A request whose fence is chosen when it is applied: the token of the turn that is running then. */
export interface RequestPlan {
  readonly request: Omit<CommitRequest, "at" | "fence">;
  readonly fence: "current" | "foreign" | undefined;
  /** Use the session's current document instead of the operation's own. */
  readonly own: boolean;
  readonly passedMs: number;
}

const HOUR_MS = 3_600_000;
const START = 1_750_000_000_000;

// As after validation: no -0.
const anyJson: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom<Json>(
      null,
      0,
      "",
      [],
      {},
      { a: [{}] },
      "\ud800",
      JSON.parse('{"__proto__":1}'),
    ),
  },
  { weight: 1, arbitrary: json().map((value) => JSON.parse(JSON.stringify(value))) },
);

// Few names, so that requests affect each other.
const messageId = fc.constantFrom("m1", "m2", "m3", "m4", "m5", "m6");
const archiveId = fc.constantFrom("a1", "a2", "a3");
const snapshotName = fc.constantFrom("n1", "n2");
const turnId = fc.constantFrom("t1", "t2");
const ticket = fc.constantFrom("k1", "k2");
const ttlMs = fc.constantFrom(1_000, HOUR_MS);
const part: fc.Arbitrary<ContentPart> = fc.constantFrom({ type: "text", text: "hi" }, { type: "x", y: [{}] });
const force = fc.constantFrom(undefined, true, false);

const message: fc.Arbitrary<MessageDraft> = fc
  .record({
    id: messageId,
    role: fc.constantFrom("user", "assistant"),
    content: fc.oneof(fc.constantFrom(undefined, "", "a", "b"), fc.array(part, { maxLength: 2 })),
    status: fc.constantFrom(undefined, undefined, undefined, "partial" as const, "interrupted" as const),
    createdAt: fc.constantFrom(undefined, 1, 2),
    extra: fc.option(anyJson, { nil: undefined }),
  })
  .map(({ id, role, ...rest }) => ({ id, role, ...defined(rest) }));

const messages = fc.array(message, { maxLength: 3 });
const keep: fc.Arbitrary<Keep> = fc.oneof(
  fc.nat({ max: 4 }),
  messageId.map((through) => ({ through })),
  messageId.map((before) => ({ before })),
);

const document: fc.Arbitrary<SessionDocument> = fc
  .record({
    revision: fc.constantFrom(1, 30),
    texts: fc.array(fc.constantFrom("a", "b"), { maxLength: 4 }),
    archived: fc.boolean(),
    horizon: fc.constantFrom(0, START),
  })
  .map(({ revision, texts, archived, horizon }) => documentWith(revision, texts, archived, horizon));

const op: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: made("append", {
      messages,
      onExisting: fc.constantFrom("fail" as const, "keep" as const, "replace" as const),
    }),
  },
  { weight: 3, arbitrary: made("splice", { keep, messages, force }) },
  { weight: 2, arbitrary: made("remove", { messageIds: fc.array(messageId, { maxLength: 3 }) }) },
  { weight: 2, arbitrary: made("update", { message }) },
  {
    weight: 3,
    arbitrary: made("extend", {
      messageId,
      reasoning: fc.constantFrom(undefined, undefined, "", "hm"),
      text: fc.constantFrom(undefined, "", "more"),
      parts: fc.constantFrom(undefined, [{ type: "text", text: "x" }]),
      metadata: fc.constantFrom(undefined, undefined, { a: 1 }, { a: null }),
      status: fc.constantFrom(undefined, "partial" as const, "interrupted" as const, "complete" as const),
    }),
  },
  { weight: 3, arbitrary: made("archive", { archiveId, through: messageId }) },
  { weight: 1, arbitrary: made("settle-archive", { archiveId, summary: fc.constantFrom("s1", "s2") }) },
  { weight: 1, arbitrary: made("settle-archive", { archiveId, error: fc.constant("e") }) },
  { weight: 2, arbitrary: made("snapshot", { name: snapshotName }) },
  { weight: 1, arbitrary: made("drop-snapshot", { name: snapshotName }) },
  { weight: 2, arbitrary: made("restore", { name: snapshotName, force }) },
  {
    weight: 3,
    arbitrary: made("set", {
      title: fc.constantFrom(undefined, null, "t"),
      labels: fc.constantFrom(undefined, { a: "1" }, { a: null }),
      metadata: fc.option(
        fc.dictionary(fc.constantFrom("a", "__proto__"), anyJson, { maxKeys: 2, noNullPrototype: true }),
        { nil: undefined },
      ),
      expiresAt: fc.constantFrom(undefined, undefined, undefined, null, START - 1, START + 900 * HOUR_MS),
      expiresIn: fc.constantFrom(undefined, undefined, undefined, null, HOUR_MS, 900 * HOUR_MS),
      renewOnUse: fc.constantFrom(undefined, undefined, true, false),
    }),
  },
  {
    weight: 1,
    arbitrary: made("count", {
      deltas: fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER)),
    }),
  },
  { weight: 2, arbitrary: made("create", { document }) },
  { weight: 1, arbitrary: made("adopt", { document }) },
  { weight: 1, arbitrary: made("delete", {}) },
  { weight: 1, arbitrary: made("turn", { action: fc.constant("queue" as const), ticket, turnId, ttlMs }) },
  { weight: 1, arbitrary: made("turn", { action: fc.constant("leave" as const), ticket }) },
  {
    weight: 4,
    arbitrary: made("turn", {
      action: fc.constant("begin" as const),
      turnId,
      nonce: fc.constantFrom("x", "y"),
      ttlMs,
      ticket: fc.constantFrom(undefined, "k1", "k2"),
    }),
  },
  { weight: 1, arbitrary: made("turn", { action: fc.constant("renew" as const) }) },
  {
    weight: 1,
    arbitrary: made("turn", {
      action: fc.constant("interrupt" as const),
      turnId: fc.constantFrom(undefined, "t1"),
      force,
    }),
  },
  {
    weight: 3,
    arbitrary: made("turn", {
      action: fc.constant("end" as const),
      outcome: fc.constantFrom(
        "completed" as const,
        "failed" as const,
        "interrupted" as const,
        "released" as const,
      ),
    }),
  },
);

const plan: fc.Arbitrary<RequestPlan> = fc.record({
  request: fc
    .record({
      id: fc.constantFrom(...Array.from({ length: 60 }, (_, index) => `c${index}`)),
      digest: fc.constantFrom(undefined, "d", "d", "e"),
      ageMs: fc.constantFrom(undefined, undefined, undefined, 5, 2 * HOUR_MS),
      ops: fc.array(op, { maxLength: 3 }),
      ifRevision: fc.constantFrom(undefined, undefined, undefined, undefined, 0, 1, 2),
      ifAbsent: fc.constantFrom(undefined, undefined, undefined, undefined, true, false),
      ifIdle: fc.constantFrom(undefined, undefined, undefined, true),
      receipt: fc.option(anyJson, { nil: undefined }),
      leaseTime: fc.constantFrom(undefined, ...[0, 1_500, HOUR_MS].map((now) => ({ domain: "boot", now }))),
    })
    .map(({ id, ops, ...rest }) => ({
      sessionId: "s",
      id: rest.digest === undefined ? `generated-${id}` : id,
      ops,
      ...defined(rest),
    })),
  fence: fc.constantFrom(undefined, undefined, "current" as const, "foreign" as const),
  own: fc.boolean(),
  passedMs: fc.constantFrom(0, 1, 2_000, 30 * HOUR_MS),
});

/** Any requests in sequence, meaningful or not. */
export const requestPlans: fc.Arbitrary<readonly RequestPlan[]> = fc.array(plan, {
  maxLength: 25,
  size: "max",
});

/** Applies the requests in order, and passes each step on. */
export function fold(
  plans: readonly RequestPlan[],
  look: (
    before: SessionState | undefined,
    request: CommitRequest,
    step: ReturnType<typeof applyCommit>,
  ) => void = () => undefined,
): SessionState | undefined {
  let at = START;
  let state: SessionState | undefined;
  for (const one of plans) {
    at += one.passedMs;
    const request = sent(one, state, at);
    const step = applyCommit(state, request);
    look(state, request, step);
    state = step.state;
  }
  return state;
}

/** A copy: nothing of a message may be shared with the outside. */
function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key of Reflect.ownKeys(value)) frozen(Reflect.get(value, key));
  }
  return value;
}

function sent(
  { request, fence, own }: RequestPlan,
  state: SessionState | undefined,
  at: number,
): CommitRequest {
  const turn = state?.status === "live" ? state.turn : undefined;
  const token = fence === "current" ? turn?.token : fence === undefined ? undefined : "1.nobody";
  const ops =
    own && state?.status === "live"
      ? request.ops.map((one) => withDocument(one, documentOf(state)))
      : request.ops;
  return frozen({ ...request, ops, at, ...(token === undefined ? {} : { fence: token }) });
}

function withDocument(operation: Operation, own: SessionDocument): Operation {
  return operation.op === "create" || operation.op === "adopt" ? { ...operation, document: own } : operation;
}

function documentWith(
  revision: number,
  texts: readonly string[],
  archived: boolean,
  horizon: number,
): SessionDocument {
  const held = texts.map((content, index) => ({ id: `m${index + 1}`, role: "user", content, createdAt: 1 }));
  const info = {
    id: "a1",
    createdAt: 1,
    messageCount: 1,
    firstMessageId: "m1",
    lastMessageId: "m1",
    summary: { status: "pending" as const },
  };
  return {
    incarnation: `i${revision}`,
    revision,
    createdAt: 1,
    updatedAt: 2,
    labels: { a: "2" },
    metadata: {},
    counters: { a: 1 },
    messages: held,
    revisions: held.map(() => 1),
    archives: archived && held.length > 0 ? [info] : [],
    snapshots: [
      {
        name: "n1",
        createdAt: 1,
        revision: 1,
        messageCount: held.length,
        shared: held.length,
        messages: [],
        revisions: [],
        archives: [],
      },
    ],
    finishedTurns: { entries: [{ id: "t2", revision: 1, at: 1 }], horizon: 0 },
    commits: { entries: [{ id: "c0", digest: "d", revision: 1, at: 1 }], horizon },
  };
}

function made<Op extends Operation["op"], Fields extends object>(
  kind: Op,
  fields: { readonly [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
): fc.Arbitrary<Operation>;
function made(kind: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record({ op: fc.constant(kind), ...fields }).map(defined);
}

function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
