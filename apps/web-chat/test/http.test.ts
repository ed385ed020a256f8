import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatList } from "../src/chats/chat-summary.js";
import { ChatServer } from "./chat-server.js";

const JSON_TYPE = "application/json";
const CHAT = { id: "c1", messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Hello." }] }] };

let folder: string;
let server: ChatServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "web-chat-http-"));
  server = await ChatServer.start(`file:${folder}/chats`, { args: ["--allow-host", "chat.example:80"] });
});
afterAll(async () => {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

interface Answered {
  readonly status: number | undefined;
  readonly body: string;
}

/** Sends exactly these headers: `fetch` would not let us choose `Host`, `Origin` or `Sec-Fetch-Site`. */
function send({ method = "GET", path = "/", headers = {}, body }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: server.port, method, path, headers };
    const request = httpRequest(options, (response: IncomingMessage) => {
      text(response).then((all) => resolve({ status: response.statusCode, body: all }), reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

const post = (headers: OutgoingHttpHeaders = {}, body: string = JSON.stringify(CHAT)): Promise<Answered> =>
  send({ method: "POST", path: "/api/chat", headers: { "content-type": JSON_TYPE, ...headers }, body });

/** Every route that reads or changes a chat. */
const api = [
  { method: "POST", path: "/api/chat", body: JSON.stringify(CHAT) },
  { method: "GET", path: "/api/chat/c1" },
  { method: "GET", path: "/api/chat/c1/stream" },
  { method: "DELETE", path: "/api/chat/c1" },
  { method: "GET", path: "/api/chats?open=c1" },
  { method: "PATCH", path: "/api/chats/c1", body: '{"title":"Taken over"}' },
  { method: "DELETE", path: "/api/chats/c1" },
] as const;

describe("the page of the server", () => {
  test("requests of the page are answered under each name of the server", async () => {
    const own = `127.0.0.1:${server.port}`;
    expect((await send({})).status).toBe(200);
    for (const host of [own, `localhost:${server.port}`, `LOCALHOST:${server.port}`, "chat.example:80"])
      expect([host, (await send({ headers: { host } })).status]).toEqual([host, 200]);
    const headers = { origin: `http://${own}`, "sec-fetch-site": "same-origin" };
    const answered = await post(headers);
    expect([answered.status, answered.body]).toEqual([200, expect.stringContaining("finishReason")]);
    expect((await send({ path: "/api/chat/c1", headers })).body).toContain("Hello.");
    expect((await send({ path: "/api/chat/c1/stream", headers })).status).toBe(204);
    expect((await send({ method: "DELETE", path: "/api/chat/c1", headers })).body).toContain("stopped");
  });
});

describe.each(api)("$method $path", ({ method, path, ...sent }) => {
  const headers = "body" in sent ? { "content-type": JSON_TYPE } : {};
  const ask = (more: OutgoingHttpHeaders): Promise<Answered> =>
    send({ method, path, ...sent, headers: { ...headers, ...more } });

  test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:80", "127.0.0.1.evil.example"])(
    "a request under the host name %s is refused",
    async (host) => {
      expect((await ask({ host })).status).toBe(403);
    },
  );

  test("a request from a page of another site is refused", async () => {
    expect((await ask({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await ask({ "sec-fetch-site": "same-site" })).status).toBe(403);
    for (const origin of ["http://evil.example", "null", `http://127.0.0.1:${server.port}.evil.example`])
      expect([origin, (await ask({ origin })).status]).toEqual([origin, 403]);
  });
});

describe("the list of chats", () => {
  test("a wrong request is refused with a sentence, and changes nothing", async () => {
    await post({}, JSON.stringify({ ...CHAT, id: "named" }));
    const patch = (path: string, body: string): Promise<Answered> => send({ method: "PATCH", path, body });
    for (const body of ["", "{", "[]", "null", "{}", '{"title":""}', '{"title":" "}', '{"title":7}'])
      expect([body, (await patch("/api/chats/named", body)).status]).toEqual([body, 400]);
    const tooLong = JSON.stringify({ title: "x".repeat(201) });
    expect((await patch("/api/chats/named", tooLong)).body).toContain("1 to 200 characters");
    const long = "x".repeat(600);
    expect((await patch("/api/chats/%E0%A4%A", '{"title":"x"}')).status).toBe(400);
    expect((await patch(`/api/chats/${long}`, '{"title":"x"}')).status).toBe(413);
    expect(await firstList(long)).toMatchObject({ open: "absent" });
    for (const query of [
      "",
      "?open=",
      "?open=named&limit=0",
      "?open=named&limit=1001",
      "?open=named&limit=x",
    ])
      expect([query, (await send({ path: `/api/chats${query}` })).status]).toEqual([query, 400]);
    expect((await send({ method: "PUT", path: "/api/chats/named" })).status).toBe(405);
    expect((await send({ method: "POST", path: "/api/chats" })).status).toBe(405);
    expect(await firstList("named")).toMatchObject({ open: { title: "Hello." } });
  });

  test("a chat that does not exist is not renamed into being, and its deletion says so", async () => {
    const renamed = await send({ method: "PATCH", path: "/api/chats/nowhere", body: '{"title":"x"}' });
    expect(renamed).toEqual({ status: 404, body: "There is no such chat." });
    const deleted = await send({ method: "DELETE", path: "/api/chats/nowhere" });
    expect(deleted).toEqual({ status: 200, body: '{"deleted":false}' });
    expect(await firstList("nowhere")).toMatchObject({ open: "absent" });
  });

  test("a title is the beginning of the first question, cut between characters, and the next question keeps it", async () => {
    const ask = (id: string, text: string): Promise<Answered> =>
      post(
        {},
        JSON.stringify({ id: "cut", messages: [{ id, role: "user", parts: [{ type: "text", text }] }] }),
      );
    await ask("q1", `\n  One\t two ${"😀".repeat(80)}`);
    await ask("q2", "Something else.");
    expect(await firstList("cut")).toMatchObject({ open: { title: `One two ${"😀".repeat(51)}…` } });
  });

  test("a damaged chat says so, and the others are listed", async () => {
    const id = "damaged";
    await post({}, JSON.stringify({ ...CHAT, id }));
    await post({}, JSON.stringify({ ...CHAT, id: "sound" }));
    const journal = join(folder, "chats/sessions", id, "1.jsonl");
    await writeFile(journal, `not JSON\n${await readFile(journal, "utf8")}`);
    const { open, chats } = await firstList(id);
    expect(open).toBe("damaged");
    expect(chats.map((chat) => chat.id)).toContain("sound");
    expect((await send({ path: `/api/chat/${id}` })).status).toBe(500);
    expect((await send({ method: "DELETE", path: `/api/chats/${id}` })).status).toBe(500);
  });
});

describe("POST /api/chat", () => {
  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "",
    "text/plain;application/json",
  ])("a POST with the content type %j is a 415, because a browser sends it for any site", async (type) => {
    expect((await post({ "content-type": type })).status).toBe(415);
  });

  test("a body of more than 1 MiB is a 413, with a length or without, and is not read into memory", async () => {
    const large = Buffer.alloc(1_100_000, " ");
    expect((await post({}, large.toString())).status).toBe(413);
    expect((await post({ "content-length": 600_000_000 }, "{}")).status).toBe(413);
    const before = await residentBytes();
    expect(await sendEndlessly()).toContain("413");
    expect((await residentBytes()) - before).toBeLessThan(100_000_000); // of 200 MB that are sent
  });

  test("the response to an invalid request says what to do, and nothing about the server", async () => {
    for (const body of ["", "{", "[]", "[".repeat(100_000), '{"id":"c","messages":[1]}']) {
      const answered = await post({}, body);
      expect([body.slice(0, 30), answered.status]).toEqual([body.slice(0, 30), 400]);
      expect(answered.body).not.toMatch(/\bat \/|node:|\.js|web-chat-http/);
    }
  });
});

test("a wrong URL is no server error", async () => {
  for (const path of ["//", "/api/chat/%E0%A4%A", "/api/chat/%", "/../../etc/passwd", "/api/chat/"]) {
    const { status, body } = await send({ path });
    expect([path, status === 400 || status === 404]).toEqual([path, true]);
    expect(body).not.toContain("root:");
  }
});

/** The list as a page gets it first. */
async function firstList(open: string): Promise<ChatList> {
  const leaving = new AbortController();
  const response = await fetch(`${server.url}api/chats?open=${open}`, { signal: leaving.signal });
  let events = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    events += chunk;
    const [, list] = /data: (.*)\n\n/.exec(events) ?? [];
    if (list !== undefined) {
      leaving.abort();
      return JSON.parse(list);
    }
  }
  throw new Error(`The server ended the list: ${events}`);
}

/** The memory of the server process. */
async function residentBytes(): Promise<number> {
  const [, kib = "0"] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1024;
}

/** Sends up to 200 MB in chunks without a length until the server closes the connection. Returns its response. */
function sendEndlessly(): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  const head = `POST /api/chat HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000, " "), Buffer.from("\r\n")]);
  let sent = 0;
  const more = (): void => {
    while (sent < 200_000_000 && socket.writable && socket.write(chunk)) sent += chunk.length;
  };
  return new Promise((resolve) => {
    let said = "";
    socket.setEncoding("utf8").on("data", (data: string) => {
      said += data;
    });
    socket.on("drain", more).on("close", () => resolve(said));
    socket.on("error", () => socket.destroy()); // the server has closed the connection: "close" follows
    socket.write(head);
    more();
  });
}

test.each(["//x/api/chat", "/./api/chat", "/%2e/api/chat", "/\\x/api/chat", "http://x/api/chat"])(
  "another site cannot get past the check by writing the path as %s",
  async (path) => {
    const host = `127.0.0.1:${server.port}`;
    const headers = {
      host,
      origin: "http://evil.example",
      "sec-fetch-site": "cross-site",
      "content-type": JSON_TYPE,
    };
    const { status } = await send({ method: "POST", path, headers, body: JSON.stringify(CHAT) });
    expect(status).toBe(403);
  },
);
