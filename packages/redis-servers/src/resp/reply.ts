import { frameEnd } from "./frame.js";

/** What a server answers, in the second version of its protocol. */
export type Reply = string | number | null | RefusedCommand | readonly Reply[];

/** An error that the server answered with: `code` is its first word. */
export class RefusedCommand extends Error {
  readonly code: string;

  constructor(message: string) {
    super(message);
    this.name = "RefusedCommand";
    this.code = message.split(" ", 1)[0] ?? "";
  }
}

/** Reads one whole value. */
export function decodeReply(frame: Buffer): Reply {
  const line = frame.indexOf("\r\n");
  const head = frame.toString("utf8", 1, line);
  const type = String.fromCharCode(frame[0] ?? 0);
  if (type === "+") return head;
  if (type === "-") return new RefusedCommand(head);
  if (type === ":") return Number(head);
  if (head === "-1") return null;
  if (type === "$") return frame.toString("utf8", line + 2, frame.length - 2);
  if (type === "*") return decodeValues(frame, line + 2, Number(head));
  throw new Error(`a value of type "${type}" is not of the protocol's second version`);
}

function decodeValues(frame: Buffer, start: number, count: number): readonly Reply[] {
  const values: Reply[] = [];
  let from = start;
  for (let left = count; left > 0; left--) {
    const end = frameEnd(frame, from) ?? frame.length;
    values.push(decodeReply(frame.subarray(from, end)));
    from = end;
  }
  return values;
}

/** A command as a client sends it. */
export function encodeCommand(args: readonly (string | number)[]): string {
  const texts = args.map(String);
  return `*${texts.length}\r\n${texts.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`).join("")}`;
}
