import type { JsonObject } from "@sessions/protocol";

/** Something in a file that could not be understood. It is reported, and kept with the session. */
export interface UnreadableInput {
  readonly file: string;
  readonly line?: number;
  readonly problem: string;
  /** Every byte of it: as text, or as base64 where it is none. */
  readonly text?: string;
  readonly base64?: string;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** The text of bytes; `undefined` if they are none. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined; // not text: that is what was asked
  }
}

/** Input that could not be understood, with its bytes. */
export function unreadableInput(
  file: string,
  line: number | undefined,
  problem: string,
  bytes: Uint8Array,
): UnreadableInput {
  const text = textIn(bytes);
  const content = text === undefined ? { base64: Buffer.from(bytes).toString("base64") } : { text };
  return { file, ...(line === undefined ? {} : { line }), problem, ...content };
}

/** As it is kept in the session's metadata. */
export function unreadableInputJson({ file, line, problem, text, base64 }: UnreadableInput): JsonObject {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    problem,
    ...(text === undefined ? {} : { text }),
    ...(base64 === undefined ? {} : { base64 }),
  };
}
