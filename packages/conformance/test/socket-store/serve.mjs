import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FoldedSessions } from "./folded-sessions.mjs";
import { encodeError, readLines, writeLine } from "./lines.mjs";

/** Serves sessions on a socket, to any number of processes, until it is closed. */
export async function serve(fault) {
  const folder = await mkdtemp(join(tmpdir(), "socket-store-"));
  const path = join(folder, "socket");
  const sessions = new FoldedSessions(fault);
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    const ended = new AbortController();
    socket.on("close", () => {
      sockets.delete(socket);
      ended.abort();
    });
    readLines(socket, (call) => answer(sessions, socket, call, ended.signal));
  });
  await new Promise((resolve) => server.listen(path, resolve));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  };
  return { path, close };
}

async function answer(sessions, socket, { id, method, args }, signal) {
  try {
    if (method !== "watch") return writeLine(socket, { id, result: sessions[method](...args) });
    for await (const change of sessions.watch(args[0], signal)) writeLine(socket, { id, change });
  } catch (error) {
    writeLine(socket, { id, error: encodeError(error) });
  }
}
