import { crc32 } from "node:zlib";

/** A line with its checksum. */
export interface SealedLine {
  readonly bytes: Buffer;
  readonly checksum: string;
}

/** The salt of a header, which brings the salt of every line after it. */
export const NO_SALT = "00000000";

/** Length of `,"c":"01234567"}`, with which every line ends. */
const SEAL_LENGTH = 16;
/** Where in it the checksum stands, from behind, with the line end. */
const CHECKSUM_FROM_END = 11;

/** An object's text, without its closing brace, as one line that carries the checksum of everything before it. */
export function sealed(body: string, salt: string): SealedLine {
  const bytes = Buffer.from(`${body},"c":"00000000"}\n`, "utf8");
  const checksum = checksumOf(bytes.subarray(0, -SEAL_LENGTH - 1), salt);
  bytes.write(checksum, bytes.length - CHECKSUM_FROM_END, "latin1");
  return { bytes, checksum };
}

/** What a sealed line says, or `undefined` if its checksum does not hold. Takes the line without its end. */
export function unsealed(
  line: Buffer,
  salt: string,
): { readonly value: unknown; readonly checksum: string } | undefined {
  const checksum = checksumIn(line);
  if (checksum === undefined || checksum !== checksumOf(line.subarray(0, -SEAL_LENGTH), salt))
    return undefined;
  return { value: JSON.parse(line.toString("utf8")), checksum };
}

/** The checksum that a line carries, whether it holds or not. */
export function checksumIn(line: Buffer): string | undefined {
  return /^,"c":"([0-9a-f]{8})"\}$/.exec(line.subarray(-SEAL_LENGTH).toString("latin1"))?.[1];
}

function checksumOf(body: Buffer, salt: string): string {
  return hex(crc32(body, Number.parseInt(salt, 16)));
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}
