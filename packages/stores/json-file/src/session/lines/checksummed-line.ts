import { crc32 } from "node:zlib";

/** A line with its checksum. */
export interface ChecksummedLine {
  readonly bytes: Buffer;
  readonly checksum: string;
}

/** The salt of a header, which brings the salt of every line after it. */
export const NO_SALT = "00000000";

/** The length of `,"c":"01234567"}`, with which every line ends. */
const TRAILER_LENGTH = 16;
/** Where the checksum begins, counted from the end of the line with its line end. */
const CHECKSUM_FROM_END = 11;

/** The text of an object without its closing brace, as one line that carries the checksum of everything before it. */
export function checksummedLine(body: string, salt: string): ChecksummedLine {
  const bytes = Buffer.from(body + trailerOf(NO_SALT), "utf8");
  const checksum = checksumOf(bytes.subarray(0, -TRAILER_LENGTH - 1), salt);
  bytes.write(checksum, bytes.length - CHECKSUM_FROM_END, "latin1");
  return { bytes, checksum };
}

/** What every line with this checksum ends with. */
export function trailerOf(checksum: string): string {
  return `,"c":"${checksum}"}\n`;
}

/** The value of a line, or `undefined` if its checksum does not hold. Takes the line without its end. */
export function parseChecksummed(
  line: Buffer,
  salt: string,
): { readonly value: unknown; readonly checksum: string } | undefined {
  const checksum = checksumIn(line);
  if (checksum === undefined || checksum !== checksumOf(line.subarray(0, -TRAILER_LENGTH), salt))
    return undefined;
  return { value: JSON.parse(line.toString("utf8")), checksum };
}

/** The checksum that a line carries, whether it holds or not. */
export function checksumIn(line: Buffer): string | undefined {
  return /^,"c":"([0-9a-f]{8})"\}$/.exec(line.subarray(-TRAILER_LENGTH).toString("latin1"))?.[1];
}

function checksumOf(body: Buffer, salt: string): string {
  return crc32(body, Number.parseInt(salt, 16)).toString(16).padStart(8, "0");
}
