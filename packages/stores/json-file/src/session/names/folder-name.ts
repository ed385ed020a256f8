import { createHash } from "node:crypto";

/** Names longer than this are hashed: file systems allow 255 bytes, and tools want some room. */
const LONGEST_NAME = 120;

/** Names that Windows keeps for devices, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Ids that are their own names. */
const PLAIN = /^[a-z0-9_-]{1,120}$/;

/**
 * The folder name of a session: one for each id on every file system, whatever it thinks of case, dots and slashes.
 * Small letters, digits, `_` and `-` stand for themselves, every other byte is `~hh`.
 */
export function folderName(sessionId: string): string {
  if (PLAIN.test(sessionId) && !DEVICE.test(sessionId)) return sessionId;
  const escaped = [...Buffer.from(sessionId, "utf8")].map(escapedByte).join("");
  const name = DEVICE.test(escaped) ? `~${hex(escaped.charCodeAt(0))}${escaped.slice(1)}` : escaped;
  return name.length <= LONGEST_NAME
    ? name
    : `~h${createHash("sha256").update(sessionId, "utf8").digest("hex")}`;
}

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[a-z0-9_-]/.test(character) ? character : `~${hex(byte)}`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
