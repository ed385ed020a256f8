import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { CommandError, EXIT } from "../command/exit-code.js";
import { requireReadable } from "./file-size.js";
import { InputCutOff } from "./input-cut-off.js";

/** The file name that means standard input. */
export const STANDARD_INPUT = "-";

/** A line of a file. */
export interface FileLine {
  readonly number: number;
  readonly bytes: Buffer;
  /** Whether the line has no line end. Then it may be incomplete. */
  readonly terminated: boolean;
}

/**
 * The lines of a file, one at a time, whatever its size; a `.gz` is unpacked. Only a line feed ends a line: text may
 * hold U+2028.
 */
export async function* fileLines(file: string): AsyncGenerator<FileLine> {
  let number = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of contentOf(file)) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      begun.push(chunk.subarray(from, end));
      yield { number: ++number, bytes: Buffer.concat(begun), terminated: true };
      begun = [];
      begunBytes = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    begun.push(chunk.subarray(from));
    begunBytes += chunk.length - from;
    requireReadable(`${file} line ${number + 1}`, begunBytes);
  }
  if (begun.length > 0) yield { number: ++number, bytes: Buffer.concat(begun), terminated: false };
}

async function* contentOf(file: string): AsyncGenerator<Buffer> {
  const stream = file === STANDARD_INPUT ? process.stdin : createReadStream(file);
  const content: AsyncIterable<unknown> = file.endsWith(".gz") ? stream.pipe(createGunzip()) : stream;
  const failed = new Promise<never>((_, reject) => stream.once("error", reject));
  failed.catch(() => undefined); // no unhandled rejection: it is awaited below
  const chunks = content[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await Promise.race([chunks.next(), failed]).catch((error: unknown) => {
      throw damagedArchive(file, error);
    });
    if (done === true) return;
    if (Buffer.isBuffer(value)) yield value;
  }
}

/** Adds the name of the file, which the errors of gunzip lack. */
function damagedArchive(file: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (!(error instanceof Error) || typeof code !== "string" || !code.startsWith("Z_")) return error;
  if (code === "Z_BUF_ERROR") return new InputCutOff("the packed data ends too early", { cause: error });
  const message = `${file} cannot be unpacked: ${error.message}. It is damaged, or not made by gzip.`;
  return new CommandError(message, EXIT.damaged, { cause: error });
}
