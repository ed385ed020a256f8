import { crc32 } from "node:zlib";
import type { CommitRequest, Json, Operation } from "@sessions/protocol";

/** The first line of a journal: what it is, whose it is, and the salt that seeds every checksum after it. */
export interface Header {
  readonly format: "sessions-journal";
  readonly v: number;
  readonly id: string;
  readonly salt: string;
}

/** A commit as a line. It counts only where it says it stands, after the record that it names. */
export interface CommitRecord {
  /** The byte offset of this line. */
  readonly o: number;
  /** The revision after it. */
  readonly r: number;
  /** The checksum of the record before it. */
  readonly p: string;
  /** Who wrote it: without this, two writers of the same commit could not tell whose line it is. */
  readonly w: string;
  /** The commit id. */
  readonly k: string;
  /** Its time. */
  readonly t: number;
  /** The digest of what the caller gave. */
  readonly d?: string;
  /** The turn token that its writer held. */
  readonly f?: string;
  /** The receipt. */
  readonly x?: Json;
  readonly ops: readonly Operation[];
}

/** A line with its checksum. */
export interface Sealed {
  readonly bytes: Buffer;
  readonly checksum: string;
}

/** Length of `,"c":"01234567"}`, with which every line ends. */
const SEAL_LENGTH = 16;

/** A value as one line that carries the checksum of everything before the checksum itself. */
export function seal(value: object, salt: string): Sealed {
  const body = Buffer.from(JSON.stringify(value).slice(0, -1), "utf8");
  const checksum = checksumOf(body, salt);
  return { bytes: Buffer.concat([body, Buffer.from(`,"c":"${checksum}"}\n`)]), checksum };
}

/** What a sealed line says, or `undefined` if its checksum does not hold. Takes the line without its end. */
export function unseal(
  line: Buffer,
  salt: string,
): { readonly value: unknown; readonly checksum: string } | undefined {
  const body = line.subarray(0, Math.max(0, line.length - SEAL_LENGTH));
  const end = line.subarray(body.length).toString("latin1");
  const checksum = /^,"c":"([0-9a-f]{8})"\}$/.exec(end)?.[1];
  if (checksum === undefined || checksum !== checksumOf(body, salt)) return undefined;
  return { value: JSON.parse(line.toString("utf8")), checksum };
}

function checksumOf(body: Buffer, salt: string): string {
  return crc32(body, Number.parseInt(salt, 16)).toString(16).padStart(8, "0");
}

/** The salt of the header itself. */
export const NO_SALT = "00000000";

/** A request as it stands in the journal: what was checked when it was written need not be checked again. */
export function recordOf(
  request: CommitRequest,
  place: Pick<CommitRecord, "o" | "r" | "p" | "w">,
): CommitRecord {
  const { id, at, digest, fence, receipt, ops } = request;
  return {
    ...place,
    k: id,
    t: at,
    ...(digest === undefined ? {} : { d: digest }),
    ...(fence === undefined ? {} : { f: fence }),
    ...(receipt === undefined ? {} : { x: receipt }),
    ops,
  };
}

/** The request that a record was. */
export function requestOf(sessionId: string, record: CommitRecord): CommitRequest {
  const { k, t, d, f, x, ops } = record;
  return {
    sessionId,
    id: k,
    at: t,
    ...(d === undefined ? {} : { digest: d }),
    ...(f === undefined ? {} : { fence: f }),
    ...(x === undefined ? {} : { receipt: x }),
    ops,
  };
}
