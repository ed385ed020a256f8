import { createHash, randomBytes } from "node:crypto";
import { SessionError } from "@sessions/protocol";
import { Redis } from "ioredis";
import { afterAll, expect, test } from "vitest";
import type { Script } from "../../src/engine/script.js";
import { APPEND } from "../../src/engine/scripts.js";
import { sharedServer } from "../servers.js";
import { randomCase } from "./append-case.js";
import { checkAppend, Deviation, type Ground } from "./check-append.js";
import { Random } from "./random.js";

const CASES = Number(process.env["SESSIONS_APPEND_CASES"] ?? 150);
/** A broken variant is caught by one of so many. */
const CASES_FOR_A_MUTANT = 300;

const server = await sharedServer();
const client = new Redis(server.url);
afterAll(() => client.disconnect());
const replicationId = /master_replid:(\w+)/.exec(await client.info("replication"))?.[1] ?? "";
const seed = Number(process.env["SESSIONS_APPEND_SEED"] ?? randomBytes(4).readUInt32LE());

function ground(): Ground {
  return { client, url: server.url, prefix: `test-${randomBytes(6).toString("hex")}`, replicationId };
}

/** append.lua with something in it replaced. */
function mutant(original: string, replacement: string): Script {
  const parts = APPEND.lua.split(original);
  if (parts.length !== 2) throw new Error(`"${original}" is ${parts.length - 1} times in append.lua`);
  const lua = parts.join(replacement);
  return { lua, sha: createHash("sha1").update(lua).digest("hex") };
}

test(`append.lua does what applyCommit says, on random sessions and batches (seed ${seed})`, async () => {
  const random = new Random(seed);
  const place = ground();
  for (let n = 0; n < CASES; n++) await checkAppend(place, APPEND, randomCase(random, n));
}, 120_000);

/** Broken variants, each with what it breaks. */
const MUTANTS: readonly (readonly [name: string, original: string, replacement: string])[] = [
  ["does not look for the commit id", "not record[HEAD + n] and ", ""],
  ["does not look for the commit id within the call", "and not seen[commit] ", ""],
  ["does not look at the fence", "(not fences[n] or fences[n] == record[6])", "true"],
  ["does not look for message ids", "if known[index] or seen[name]", "if seen[name]"],
  ["does not look for message ids within the call", "if known[index] or seen[name]", "if known[index]"],
  ["gives all requests of a call one revision", "stamp = revision + applied ..", "stamp = revision + 1 .."],
  ["numbers a row too many", "row = row + 1\n", "row = row + 2\n"],
  ["writes the first row again", "NEXT, rowText\n", "NEXT, record[5]\n"],
  ["does not compare the version of the labels", "if (record[7] or '') ~= ARGV[4] then", "if false then"],
  ["does not wait for a holder", "if rest > 0 and", "if false and"],
  ["appends to a session that has expired", "if expires and expires <= time then", "if false then"],
  [
    "does not move the end of a session that is used",
    "ended = math.max(expires or 0, time + renews)",
    "ended = expires",
  ],
  ["moves the end closer", "ended = math.max(expires or 0, time + renews)", "ended = time + renews"],
  [
    "leaves the server's expiry as it was",
    "local isMoved = renews and ended ~= expires",
    "local isMoved = false",
  ],
  ["does not touch the sets of the labels", "for n = 5, #KEYS do", "for n = 5, 5 do"],
  [
    "lets the time of the last change go back",
    "if time > updated then change = timeText end",
    "change = timeText",
  ],
  ["does not advance the position of the feed", "  return position + 1\n", "  return position + 0\n"],
  ["does not enter the feed", "redis.pcall('ZADD', KEYS[4], position, ARGV[3])", "0"],
  ["appends to a deleted session", "or not known[1] then", "then"],
  ["does not look at the format", "head[1] ~= FORMAT_TEXT", "false"],
  [
    "does not count the fields of the record",
    "+ 2 * remembered ~= redis.call('HLEN', KEYS[1]) then",
    "< 0 then",
  ],
  ["forgets a receipt", ".. timeText .. ARGV[start + 1]", ".. timeText .. '}'"],
  ["does not number generated commits", "    generated = generated + 1\n", ""],
  ["does not compare with what was acknowledged", "if revision < tonumber(ARGV[6]) then", "if false then"],
];

test.each(MUTANTS)(
  "a variant that %s is caught",
  async (_name, original, replacement) => {
    const random = new Random(seed);
    const place = ground();
    const variant = mutant(original, replacement);
    let caught: unknown;
    for (let n = 0; n < CASES_FOR_A_MUTANT && caught === undefined; n++)
      caught = await checkAppend(place, variant, randomCase(random, n)).then(
        () => undefined,
        (error: unknown) => error,
      );
    // A variant may also write what the store then finds damaged.
    expect(caught).toSatisfy((error) => error instanceof Deviation || SessionError.is(error));
  },
  120_000,
);
