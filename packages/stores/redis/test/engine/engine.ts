import { systemClock } from "@sessions/protocol/backend";
import { clientFactory } from "../../src/engine/connect.js";
import { Deadline } from "../../src/engine/deadline.js";
import { Server } from "../../src/engine/server.js";
import type { RedisLocation } from "../../src/options.js";

/** A connection of the engine alone, without a store. */
export function connection(location: RedisLocation, deadlineMs: number = 5000): Server & Disposable {
  const server = new Server(clientFactory(location, deadlineMs), systemClock);
  return Object.assign(server, { [Symbol.dispose]: () => server.close() });
}

export function within(ms: number = 5000): Deadline {
  return new Deadline(systemClock, ms);
}
