const CR_LF = "\r\n";

/** Types whose line says how many bytes follow, and those whose line says how many values follow. */
const SIZED = new Set(["$", "=", "!"]);
const NESTED = new Set(["*", "~", ">", "%", "|"]);
/** A map's line counts pairs. */
const PAIRED = new Set(["%", "|"]);

/** Where the value that begins at `start` ends; `undefined` if it is not whole yet. */
export function frameEnd(bytes: Buffer, start: number): number | undefined {
  const line = bytes.indexOf(CR_LF, start);
  if (line < 0) return undefined;
  const type = String.fromCharCode(bytes[start] ?? 0);
  const end = line + CR_LF.length;
  if (!SIZED.has(type) && !NESTED.has(type)) return end;
  const count = Number(bytes.toString("latin1", start + 1, line));
  if (count < 0) return end;
  if (SIZED.has(type)) return within(bytes, end + count + CR_LF.length);
  return valuesEnd(bytes, end, PAIRED.has(type) ? 2 * count : count);
}

function valuesEnd(bytes: Buffer, start: number, count: number): number | undefined {
  let end: number | undefined = start;
  for (let left = count; left > 0 && end !== undefined; left--) end = frameEnd(bytes, end);
  return end;
}

function within(bytes: Buffer, end: number): number | undefined {
  return end <= bytes.length ? end : undefined;
}
