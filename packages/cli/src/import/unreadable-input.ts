import type { JsonObject } from "@sessions/protocol";

/** A part of a file that could not be read. It is reported and kept with the session. */
export interface UnreadableInput {
  readonly file: string;
  readonly line?: number;
  readonly problem: string;
  /** All its bytes: as text, or as base64 if they are no UTF-8. */
  readonly text?: string;
  readonly base64?: string;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes bytes as UTF-8, or returns `undefined`. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined; // not UTF-8
  }
}

/** Makes unreadable input from bytes. */
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

/** The form in which the metadata of the session keeps it. */
export function unreadableInputJson({ file, line, problem, text, base64 }: UnreadableInput): JsonObject {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    problem,
    ...(text === undefined ? {} : { text }),
    ...(base64 === undefined ? {} : { base64 }),
  };
}
