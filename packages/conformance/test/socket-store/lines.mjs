import { createInterface } from "node:readline";

/** One JSON value per line, over a socket. */
export function writeLine(socket, value) {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}

export function readLines(socket, take) {
  const lines = createInterface({ input: socket });
  lines.on("line", (line) => take(JSON.parse(line)));
  // The socket of a killed peer fails. Its `close` event is enough.
  for (const source of [socket, lines]) source.on("error", () => undefined);
}

/** Errors cross a socket as code, message and fields. */
export function encodeError(error) {
  const {
    name: _name,
    stack: _stack,
    cause: _cause,
    retryable: _retryable,
    code = "STORE_UNAVAILABLE",
    ...fields
  } = error;
  return { code, message: error.message, fields };
}
