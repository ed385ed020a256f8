import { append, type OperationInput, type SessionStore, type Turn } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectRejection } from "../../assertions/expect-rejection.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { emptyDocument } from "../../samples/empty-document.js";
import { endlessList, listPositions } from "../../samples/hostile-lists.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";
import { cyclicObject, frozenNestedArrays, nestedArrays, sharedArrays } from "../../samples/nested-json.js";
import { notOptions } from "../../samples/not-options.js";
import { optionArguments } from "../../samples/option-arguments.js";
import { startTurn } from "../../samples/start-turn.js";
import { untyped } from "../../samples/untyped.js";
import { misspelt, wrongTypes } from "../../samples/wrong-options.js";
import { foreignCursors } from "./foreign-cursors.js";

/** A session "s" to call every method on. */
async function prepare(store: SessionStore): Promise<void> {
  await store.addMessage("s", numbered(2));
  await store.createSnapshot("s", "mark");
}

/** Runs `attempt` and expects that neither session "s" nor the list of sessions changes. */
async function expectNothingChanged(store: SessionStore, attempt: () => Promise<unknown>): Promise<void> {
  await prepare(store);
  await expectUnchanged(store, "s", attempt);
  expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["s"]);
}

const turnCalls: Readonly<Record<string, (turn: Turn, options: unknown) => PromiseLike<unknown>>> = {
  append: (turn, options) => turn.append(user("x"), untyped(options)),
  extend: (turn, options) => turn.extend("m1", { text: "x" }, untyped(options)),
  "extend's addition": (turn, addition) => turn.extend("m1", untyped(addition)),
  commit: (turn, options) => turn.commit([append(user("x"))], untyped(options)),
  complete: (turn, options) => turn.complete([], untyped(options)),
  fail: (turn, options) => turn.fail("why", [], untyped(options)),
};

/** A refusal may read the first items to say what is wrong with them. */
const MAX_READS = 100;
/** A refusal takes 1 ms of processor time, iterating over 10⁹ holes 17 s. */
const MAX_SPARSE_CPU_MS = 5_000;

const jsonPositions: Readonly<Record<string, (store: SessionStore, json: unknown) => PromiseLike<unknown>>> =
  {
    "content of a message": (store, json) => store.addMessage("s", user("x", { json })),
    "a history": (store, json) => store.setChatHistory("s", [untyped(json)]),
    "a field of a history": (store, json) => store.setChatHistory("s", [Object.freeze(user("x", { json }))]),
    "a metadata value": (store, json) => store.updateSessionMetadata("s", { json }),
    "an operation": (store, json) => store.commit("s", append(user("x", { json }))),
    "a fingerprint": (store, json) => store.popMessage("s", untyped({ commitId: "c", fingerprint: json })),
    "a bundle": (store, json) =>
      store.importSession(untyped({ ...bundle, session: { ...bundle.session, json } })),
  };

const bundle = { format: "sessions-bundle", version: 1, sessionId: "new", session: emptyDocument() };

const endlessJson: Readonly<Record<string, () => unknown>> = {
  "an array of 20 000 levels": () => nestedArrays(20_000),
  "a frozen array of 20 000 levels": () => frozenNestedArrays(20_000),
  "a cyclic object": () => cyclicObject(),
};

export const hostileOptions: Section = {
  name: "hostile options",
  runsAlone: true,
  cases: [
    ...Object.entries(optionArguments).map(([method, positions]) =>
      behaviour(
        `${method} refuses unknown options, and values that are not an options object`,
        ["G2"],
        (store) =>
          expectNothingChanged(store, async () => {
            for (const [name, call] of Object.entries(positions)) {
              const unknown = { maxTokens: 1, noSuchOption: 1 };
              await expectRejection(
                () => call(store, unknown),
                "INVALID_ARGUMENT",
                `${name} with an unknown option`,
              );
              for (const [what, make] of Object.entries(notOptions))
                await expectRejection(() => call(store, make()), "INVALID_ARGUMENT", `${what} for ${name}`);
            }
          }),
      ),
    ),
    behaviour("a misspelt option or field is refused with a suggestion of the right one", ["G2"], (store) =>
      expectNothingChanged(store, async () => {
        for (const [meant, call] of misspelt) {
          const { message } = await expectRejection(() => call(store), "INVALID_ARGUMENT", `for ${meant}`);
          expect(message).toContain(`Did you mean "${meant}"?`);
        }
      }),
    ),
    behaviour("an option of a wrong type is refused", ["G2"], (store) =>
      expectNothingChanged(store, async () => {
        for (const [what, call] of Object.entries(wrongTypes))
          await expectRejection(() => call(store), "INVALID_ARGUMENT", what);
      }),
    ),
    behaviour("an option that is undefined counts as absent", [], async (store) => {
      await store.addMessage("s", user("1"), {
        commitId: undefined,
        ifRevision: undefined,
        signal: undefined,
      });
      expect(await store.getChatHistory("s", { limit: undefined, roles: undefined })).toHaveLength(1);
      expect((await store.listSessions({ labels: undefined, cursor: undefined })).items).toHaveLength(1);
    }),
    behaviour("messages, metadata and labels may have any fields", ["G9"], async (store) => {
      await store.addMessage("s", user("x", { comitId: "c", nested: { lmit: 1 } }));
      await store.patchSession("s", { metadata: { comitId: 1 }, labels: { lmit: "1" } });
      const session = await existingSession(store, "s");
      expect(session.messages[0]).toMatchObject({ comitId: "c", nested: { lmit: 1 } });
      expect(session).toMatchObject({ metadata: { comitId: 1 }, labels: { lmit: "1" } });
    }),
    behaviour("a turn refuses invalid options and goes on", ["G2"], async (store) => {
      await store.addMessage("s", numbered(1));
      const turn = await startTurn(store, "s");
      for (const [method, call] of Object.entries(turnCalls)) {
        await expectRejection(() => call(turn, { noSuchOption: 1 }), "INVALID_ARGUMENT", method);
        for (const [what, make] of Object.entries(notOptions))
          await expectRejection(() => call(turn, make()), "INVALID_ARGUMENT", `${what} for ${method}`);
      }
      await expectRejection(() => turn.complete(untyped(5)), "INVALID_ARGUMENT", "5 for operations");
      await expectRejection(
        () => turn.complete(untyped(endlessList({ op: "delete" }).list)),
        "TOO_LARGE",
        "endless operations",
      );
      await turn.complete([append(user("2"))]);
      const returned = (): readonly OperationInput[] => untyped(endlessList({ op: "delete" }).list);
      await expectRejection(
        () => store.runTurn("s", {}, returned),
        "TOO_LARGE",
        "endless operations returned",
      );
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["1", "2"]);
    }),
    ...Object.entries(listPositions).map(([where, { item, call }]) =>
      behaviour(`the length of ${where} is checked before the items are read`, ["G18"], (store) =>
        expectNothingChanged(store, async () => {
          const { list, reads } = endlessList(item);
          await expectRejection(() => call(store, untyped(list)), ["TOO_LARGE", "INVALID_ARGUMENT"], where);
          expect(reads(), "items that were read").toBeLessThan(MAX_READS);
          const before = process.cpuUsage();
          const sparse = untyped<never>(new Array(1e9));
          await expectRejection(
            () => call(store, sparse),
            ["TOO_LARGE", "INVALID_ARGUMENT"],
            `${where}, sparse`,
          );
          const { user, system } = process.cpuUsage(before);
          expect((user + system) / 1_000, "ms for a sparse list").toBeLessThan(MAX_SPARSE_CPU_MS);
        }),
      ),
    ),
    ...Object.entries(endlessJson).map(([what, make]) =>
      behaviour(`${what} in JSON is refused`, ["G9", "G18"], (store) =>
        expectNothingChanged(store, async () => {
          const json = make();
          for (const [where, call] of Object.entries(jsonPositions))
            await expectRejection(() => call(store, json), ["TOO_LARGE", "INVALID_ARGUMENT"], where);
        }),
      ),
    ),
    behaviour(
      "nested references to shared arrays that are 2^40 values as JSON are refused",
      ["G18"],
      (store) =>
        expectNothingChanged(store, async () => {
          await expectRejection(
            () => store.updateSessionMetadata("s", { a: sharedArrays(40) }),
            "TOO_LARGE",
            "metadata",
          );
        }),
    ),
    behaviour("an object with 20 000 keys in place of options or labels is refused", ["G18"], (store) =>
      expectNothingChanged(store, async () => {
        const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, "x"]));
        await expectRejection(
          () => store.addMessage("s", user("x"), untyped(many)),
          "INVALID_ARGUMENT",
          "options",
        );
        await expectRejection(() => store.patchSession("s", { labels: many }), "TOO_LARGE", "labels");
        await expectRejection(() => store.listSessions({ labels: many }), "TOO_LARGE", "labels of a query");
      }),
    ),
    ...foreignCursors,
  ],
};
