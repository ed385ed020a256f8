import type { Message } from "@sessions/json-file";
import { expect, test } from "vitest";
import { tallyUp } from "../src/tally.js";

const question = (text: string): Message => ({ id: text, role: "user", content: text, createdAt: 0 });
const answer = (text: string, nonce: string, status?: "interrupted"): Message => ({
  id: nonce,
  role: "assistant",
  content: `re: ${text} #${nonce}`,
  createdAt: 0,
  ...(status === undefined ? {} : { status }),
});

const updates = [{ id: 1, user: 1, text: "q" }];
const replied = (
  ...nonces: readonly string[]
): { readonly replies: ReadonlyMap<number, ReadonlySet<string>> } => ({
  replies: new Map(nonces.length === 0 ? [] : [[1, new Set(nonces.map((nonce) => `re: q #${nonce}`))]]),
});

test.each([
  ["stored and answered once", replied("a"), [question("q"), answer("q", "a")], { lost: 0, doubled: 0 }],
  ["never answered", replied(), [question("q"), answer("q", "a")], { lost: 1, doubled: 0 }],
  ["answered, and not stored", replied("a"), [question("q")], { lost: 1, doubled: 0 }],
  ["the question is gone", replied("a"), [answer("q", "a")], { lost: 1, doubled: 0 }],
  ["another answer is stored", replied("a"), [question("q"), answer("q", "b")], { lost: 1, doubled: 0 }],
  [
    "only a part is stored",
    replied("a"),
    [question("q"), answer("q", "a", "interrupted")],
    { lost: 1, unfinished: 1 },
  ],
  [
    "two answers are stored",
    replied("a"),
    [question("q"), answer("q", "a"), answer("q", "b")],
    { lost: 0, doubled: 1 },
  ],
  [
    "two questions are stored",
    replied("a"),
    [question("q"), question("q"), answer("q", "a")],
    { lost: 0, doubled: 1 },
  ],
  [
    "two replies were sent",
    replied("a", "b"),
    [question("q"), answer("q", "a"), answer("q", "b")],
    { doubled: 1 },
  ],
])("the tally of an update: %s", (_, delivered, stored, expected) => {
  expect(tallyUp(updates, delivered, stored)).toMatchObject({ sent: 1, ...expected });
});
