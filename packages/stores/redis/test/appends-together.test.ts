import type { CommitOutcome, CommitRequest, MessageDraft, SessionBackend } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { openRedisBackend } from "../src/open-redis-store.js";
import { commandsDuring } from "./commands-during.js";
import { sharedServer } from "./servers.js";
import { type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();

const message = (id: string, content = id): MessageDraft => ({ id, role: "user", content });

/** A plain append. With a digest its id was chosen by a caller. */
function request(id: string, messages: readonly MessageDraft[], digest?: string): CommitRequest {
  return {
    sessionId: "s",
    id,
    at: Date.now(),
    ops: [{ op: "append", messages, onExisting: "fail" }],
    ...(digest === undefined ? {} : { digest }),
  };
}

/** A session that is read already, so that appends to it take the fast lane. */
async function onKnownSession(
  expires: boolean,
  use: (backend: SessionBackend, opened: OpenedStore) => Promise<void>,
): Promise<void> {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  await store.createSession("s", expires ? { expiresAt: Date.now() + 3_600_000 } : {});
  const backend = await openRedisBackend({ url: server.url }, options);
  try {
    await backend.read("s", { messages: "none" });
    await backend.commit([request("first", [message("first")])]);
    await use(backend, opened);
  } finally {
    await backend.close();
  }
}

const codes = (outcomes: readonly CommitOutcome[]): readonly string[] =>
  outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.error.code : outcome.status));

for (const expires of [false, true]) {
  const where = expires ? "a session that expires" : "a session that does not expire";

  test(`appends that are sent together are one call, and each has its outcome: ${where}`, async () => {
    await onKnownSession(expires, async (backend, opened) => {
      const requests = ["a", "b", "c"].map((id) => request(id, [message(`${id}1`), message(`${id}2`)]));
      const commands = await commandsDuring(server, opened, async () => {
        const outcomes = await backend.commit(requests);
        expect(outcomes.map((outcome) => "revision" in outcome && outcome.revision)).toEqual([3, 4, 5]);
      });
      expect(commands.filter(([name]) => name === "evalsha")).toHaveLength(1);
      const ids = (await opened.store.getChatHistory("s")).map(({ id }) => id);
      expect(ids).toEqual(["first", "a1", "a2", "b1", "b2", "c1", "c2"]);
      expect(await opened.store.verify("s")).toMatchObject({ ok: true });
    });
  });

  test(`of two messages with one id that are sent together the first counts: ${where}`, async () => {
    await onKnownSession(expires, async (backend, { store }) => {
      const outcomes = await backend.commit([
        request("a", [message("m", "one")]),
        request("b", [message("n"), message("m", "another")]),
        request("c", [message("m", "one"), message("o")]),
      ]);
      expect(codes(outcomes)).toEqual(["applied", "MESSAGE_ID_TAKEN", "applied"]);
      expect((await store.getChatHistory("s")).map(({ content }) => content)).toEqual(["first", "one", "o"]);
    });
  });

  test(`a commit that a caller has named counts once, also if it is sent twice together: ${where}`, async () => {
    await onKnownSession(expires, async (backend, { store }) => {
      const outcomes = await backend.commit([
        request("given", [message("a")], "digest"),
        request("given", [message("b")], "another"),
        request("given", [message("a")], "digest"),
      ]);
      expect(codes(outcomes)).toEqual(["applied", "COMMIT_ID_REUSED", "duplicate"]);
      expect(codes(await backend.commit([request("given", [message("a")], "digest")]))).toEqual([
        "duplicate",
      ]);
      expect((await store.getChatHistory("s")).map(({ id }) => id)).toEqual(["first", "a"]);
    });
  });

  // So it is if the first sending was held up on an old connection until the second one was answered. Its message may be gone by then.
  test(`a generated commit that comes again, alone or with others, counts once: ${where}`, async () => {
    await onKnownSession(expires, async (backend, { store }) => {
      await backend.commit([request("a", [message("a")]), request("b", [message("b")])]);
      await store.removeMessages("s", ["a", "b"]);
      await backend.read("s", { messages: "none" });
      expect(codes(await backend.commit([request("a", [message("a")])]))).toEqual(["duplicate"]);
      const outcomes = await backend.commit([request("c", [message("c")]), request("b", [message("b")])]);
      expect(codes(outcomes)).toEqual(["applied", "duplicate"]);
      expect((await store.getChatHistory("s")).map(({ id }) => id)).toEqual(["first", "c"]);
    });
  });
}
