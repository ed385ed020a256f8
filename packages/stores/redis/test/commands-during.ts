import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { RedisServer } from "redis-servers";
import type { OpenedStore } from "./store.js";

/**
 * The commands on keys of the store that the server ran during the work, each with its arguments: those of scripts are among them.
 * Over a connection of its own: ioredis loses its place if the first command is told before MONITOR itself is answered.
 */
export async function commandsDuring(
  server: RedisServer,
  { client, options }: OpenedStore,
  work: () => Promise<unknown>,
): Promise<readonly (readonly string[])[]> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const lines = createInterface({ input: socket });
  const commands: (readonly string[])[] = [];
  const end = `${options.prefix} ends`;
  const ended = new Promise<void>((resolve) => {
    lines.on("line", (line) => {
      const command = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word);
      if (command.includes(end)) resolve();
      else if (command.some((word) => word.startsWith(options.prefix))) commands.push(command);
    });
  });
  socket.write("MONITOR\r\n");
  await once(lines, "line"); // OK
  await work();
  await client.echo(end);
  await ended;
  socket.destroy();
  return commands;
}
