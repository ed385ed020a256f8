import { SessionError, type SessionStore } from "@sessions/protocol";
import { startServer } from "redis-servers";
import { expect, test } from "vitest";
import { asSessionError, Unanswered, Unsent } from "../src/error-mapping.js";
import { openRedisStore } from "../src/open-redis-store.js";

function reply(message: string): Error {
  return Object.assign(new Error(message), { name: "ReplyError" });
}

/** What the server says, what callers get, and whether they should try again. */
const answers: readonly (readonly [Error, string, boolean])[] = [
  [reply("ERR user_script:88: too many results to unpack"), "STORE_UNAVAILABLE", false],
  [
    reply("ERR Error compiling script (new function): user_script:1: syntax error"),
    "STORE_UNAVAILABLE",
    false,
  ],
  [reply("ERR unknown command 'EVALSHA'"), "STORE_UNAVAILABLE", false],
  [reply("ERR wrong number of arguments for 'hset' command"), "STORE_UNAVAILABLE", false],
  [reply("CROSSSLOT Keys in request don't hash to the same slot"), "STORE_UNAVAILABLE", false],
  [reply("NOPERM this user has no permissions to run the 'evalsha' command"), "STORE_UNAVAILABLE", false],
  [reply("NOAUTH Authentication required."), "STORE_UNAVAILABLE", false],
  [reply("WRONGPASS invalid username-password pair or user is disabled."), "STORE_UNAVAILABLE", false],
  [new Unsent("x", { cause: reply("WRONGPASS invalid username-password pair") }), "STORE_UNAVAILABLE", false],
  [reply("WRONGTYPE Operation against a key holding the wrong kind of value"), "SESSION_CORRUPTED", false],
  [reply("OOM command not allowed when used memory > 'maxmemory'."), "STORE_FULL", true],
  [reply("MISCONF Redis is configured to save RDB snapshots, but it's unable to"), "STORE_UNAVAILABLE", true],
  [reply("ERR max number of clients reached"), "STORE_UNAVAILABLE", true],
  [reply("LOADING Redis is loading the dataset in memory"), "STORE_UNAVAILABLE", true],
  [reply("READONLY You can't write against a read only replica."), "STORE_UNAVAILABLE", true],
  [reply("CLUSTERDOWN The cluster is down"), "STORE_UNAVAILABLE", true],
  [new Unsent("connect ECONNREFUSED"), "STORE_UNAVAILABLE", true],
  [new Unanswered("no answer within the deadline"), "STORE_UNAVAILABLE", true],
];

test.each(answers)("%s is %s, retryable: %s", (error, code, retryable) => {
  expect(asSessionError(error, "redis", "s")).toMatchObject({ code, retryable });
});

test("a wrong password and a missing right are not worth a retry, and name what to do", async () => {
  await using server = await startServer({
    users: ["default on >secret ~* &* +@all", "weak on >weak ~* &* +get"],
  });
  const at = (userInfo: string): Promise<SessionStore> =>
    openRedisStore({ url: server.url.replace("//", `//${userInfo}@`) }, { deadlineMs: 2000 });
  for (const [userInfo, words] of [
    [":wrong", "user or password"],
    ["weak:weak", "may not use"],
  ] as const) {
    const error: unknown = await at(userInfo).catch((reason: unknown) => reason);
    expect(SessionError.is(error, "STORE_UNAVAILABLE")).toBe(true);
    expect(error).toMatchObject({ retryable: false, message: expect.stringContaining(words) });
  }
});
