import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { makeCertificate, startServer } from "../src/index.js";
import { ReservedPort } from "../src/reserved-port.js";

describe("a server", () => {
  test("has a port and a folder of its own, and is gone with its scope", async () => {
    let folder = "";
    {
      await using one = await startServer();
      await using other = await startServer();
      folder = one.folder;
      expect(one.port).not.toBe(other.port);
      expect(await one.call("SET", "k", "value é")).toBe("OK");
      expect(await one.call("GET", "k")).toBe("value é");
      expect(await other.call("GET", "k")).toBeNull();
      expect(existsSync(folder)).toBe(true);
    }
    expect(existsSync(folder)).toBe(false);
  });

  test("with an append-only file has after a kill -9 what it acknowledged, on the same port", async () => {
    await using server = await startServer({ aof: "always" });
    const { pid, port } = server;
    for (let index = 0; index < 100; index++) await server.call("RPUSH", "list", index);
    await server.kill();
    await expect(server.call("PING")).rejects.toThrow();
    await server.restart();
    expect(server.port).toBe(port);
    expect(server.pid).not.toBe(pid);
    expect(await server.call("LLEN", "list")).toBe(100);
  });

  test("without one has nothing: the test above can fail", async () => {
    await using server = await startServer();
    await server.call("RPUSH", "list", 1);
    await server.kill();
    await server.restart();
    expect(await server.call("LLEN", "list")).toBe(0);
  });

  test("answers nothing while it stands still, and everything afterwards", async () => {
    await using server = await startServer();
    await server.call("PING");
    server.pause();
    let answered = false;
    const waiting = server.call("PING").then((reply) => {
      answered = true;
      return reply;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(answered).toBe(false);
    server.resume();
    expect(await waiting).toBe("PONG");
  });

  test("encrypts with a certificate that was made for it", async () => {
    const tls = makeCertificate();
    await using server = await startServer({ tls });
    expect(server.url).toMatch(/^rediss:/);
    expect(await server.call("PING")).toBe("PONG");
  });

  test("holds a user to its rules", async () => {
    await using server = await startServer({ users: ["app on >secret ~app:* +get +set"] });
    using connection = await server.connect();
    await connection.call("AUTH", "app", "secret");
    expect(await connection.call("SET", "app:1", "x")).toBe("OK");
    await expect(connection.call("SET", "other", "x")).rejects.toMatchObject({ code: "NOPERM" });
    await expect(connection.call("DEL", "app:1")).rejects.toMatchObject({ code: "NOPERM" });
  });

  test("that cannot read its configuration says why", async () => {
    await expect(startServer({ config: ["no-such-directive yes"] })).rejects.toThrow("no-such-directive");
  });

  test("leaves a port alone that some other program has, and takes another", async () => {
    const taken = await ReservedPort.take();
    taken.release();
    await using stranger = createServer().listen({ port: taken.number, host: "127.0.0.1" });
    await once(stranger, "listening");
    // The first that is tried.
    vi.spyOn(Math, "random").mockReturnValueOnce((taken.number - 11_000) / 10_000 + 1e-9);
    await using server = await startServer();
    expect(server.port).not.toBe(taken.number);
    expect(await server.call("PING")).toBe("PONG");
    expect(stranger.listening).toBe(true);
  });
});
