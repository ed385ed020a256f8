import { makeCertificate, startServer } from "redis-servers";
import { expect, test } from "vitest";
import { type Ended, sessions, temporaryFolder } from "./run-sessions.js";

async function ls(url: string): Promise<Ended> {
  return sessions(["ls"], { cwd: await temporaryFolder(), env: { SESSIONS_STORE: url } });
}

/** One line without a stack, that says what is wrong and what to do. */
function expectRefusal({ code, stdout, stderr }: Ended, what: string, toDo: string): void {
  expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain(what);
  expect(stderr).toContain(toDo);
}

test("a missing or wrong password is said to be that, with where to write it", async () => {
  await using server = await startServer({ aof: "everysec", config: ["requirepass hunter2-s3cr3t"] });
  const where = "in the URL before the host, as :PASSWORD@ or USER:PASSWORD@";
  expectRefusal(await ls(server.url), "the server asks for a password.", where);
  const wrong = await ls(server.url.replace("//", "//:wrong@"));
  expectRefusal(wrong, "the server does not accept this user or password.", where);
  expect((await ls(server.url.replace("//", "//:hunter2-s3cr3t@"))).code).toBe(0);
});

test("a database number that the server does not have is said to be that", async () => {
  await using server = await startServer({ aof: "everysec", config: ["databases 4"] });
  expectRefusal(await ls(`${server.url}/7`), "the server has no database with this number.", "Choose one");
  expect((await ls(`${server.url}/3`)).code).toBe(0);
});

test("a URL without TLS for a server with TLS, and the reverse, is told to check that", async () => {
  await using plain = await startServer({ aof: "everysec" });
  await using encrypted = await startServer({ aof: "everysec", tls: await makeCertificate() });
  expectRefusal(
    await ls(`rediss://127.0.0.1:${plain.port}?deadlineMs=2000`),
    "does not answer",
    "whether it uses TLS",
  );
  const reverse = await ls(`redis://127.0.0.1:${encrypted.port}?deadlineMs=2000`);
  expectRefusal(reverse, "does not answer", "whether it uses TLS");
});

test("a server that is no Cluster is opened with redis://, and the error says so", async () => {
  await using server = await startServer({ aof: "everysec" });
  const url = `redis+cluster://127.0.0.1:${server.port}`;
  expectRefusal(await ls(url), "redis cluster: the server is not part of a Cluster.", "redis://");
});

test("a host name that does not exist is told apart from a server that does not run", async () => {
  expectRefusal(
    await ls("redis://host.invalid?deadlineMs=2000"),
    "host.invalid",
    "Check the name of the host.",
  );
  expectRefusal(
    await ls("redis://127.0.0.1:1?deadlineMs=1000"),
    "ECONNREFUSED",
    "Check that the server runs",
  );
});

test("a server without persistence is said to lose everything, once, with the setting to change", async () => {
  await using server = await startServer();
  const warning = 'appendonly is off: everything is lost if the server stops. Set "appendonly yes"';
  const listed = await ls(server.url);
  expect(listed.code).toBe(0);
  expect(listed.stderr).toContain(`warning: ${warning}`);
  const env = { SESSIONS_STORE: server.url };
  const stats = await sessions(["stats"], { cwd: await temporaryFolder(), env });
  expect(stats.stdout).toContain("everything is lost: it writes nothing to its disk");
  expect(stats.stdout + stats.stderr).toContain(warning);
  expect((stats.stdout + stats.stderr).split(warning), "once").toHaveLength(2);
  expect(stats.stdout).toMatch(/^store +redis at 127/m);
});

test("a server that makes snapshots alone is said to lose what came after the last one", async () => {
  await using server = await startServer({ config: ["save 3600 1"] });
  const { stderr } = await ls(server.url);
  expect(stderr).toContain("what was acknowledged since the last snapshot is lost if the server stops");
});

test("an error of a store URL names where it was written", async () => {
  const cwd = await temporaryFolder();
  const given = await sessions(["ls", "--store", "fiel:./x"], { cwd });
  expect(given).toMatchObject({
    code: 2,
    stderr: '--store begins with "fiel:", which is no kind of store. Did you mean "file"?\n',
  });
  const migrated = await sessions(["migrate", "memory:", "sqlit:./x"], { cwd });
  expect(migrated).toMatchObject({ code: 2, stderr: expect.stringMatching(/^<to> begins with "sqlit:"/) });
});
