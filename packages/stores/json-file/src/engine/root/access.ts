import { join } from "node:path";
import { SessionError } from "@sessions/protocol";
import type { FileSystem } from "../file-system.js";
import type { WriteRefusal } from "./write-refusal.js";

/** What a process may do with a store. */
export type Access =
  | { readonly mode: "read-write" }
  | {
      readonly mode: "read-only";
      /** Why, as the end of a sentence. */
      readonly reason: string;
    };

/** How a store is opened, by what the caller wants (`undefined`: whatever is possible) and what the system allows. */
export function accessOf(
  root: string,
  readOnly: boolean | undefined,
  { fileSystem, writeRefusal }: { readonly fileSystem: FileSystem; readonly writeRefusal: WriteRefusal },
): Access {
  const isStore = fileSystem.readFile(join(root, "format.json")) !== undefined;
  if (readOnly === true) {
    if (!isStore) throw nothingToRead(root);
    return { mode: "read-only", reason: "the option readOnly says so" };
  }
  const obstacle = isStore ? obstacleTo([root, join(root, "sessions")], writeRefusal) : undefined;
  if (obstacle === undefined) return { mode: "read-write" };
  if (readOnly === false) throw notWritable(root, obstacle);
  return { mode: "read-only", reason: obstacle };
}

/** What every mutator of a read-only store fails with. */
export function readOnlyRefusal(root: string, reason: string): SessionError {
  const message = `The store in ${root} is open read-only, because ${reason}. Nothing was changed.`;
  return SessionError.of("STORE_UNAVAILABLE", message, {});
}

/** Another process may create it at any time, so the argument is not wrong. */
function nothingToRead(root: string): SessionError {
  const message = `There is no store in ${root}, and none can be made read-only. Open it for writing first.`;
  return SessionError.of("STORE_UNAVAILABLE", message, {});
}

function notWritable(root: string, obstacle: string): SessionError {
  const message = `The store in ${root} cannot be opened for writing: ${obstacle}. Allow it, or open read-only.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { retryable: false });
}

function obstacleTo(folders: readonly string[], writeRefusal: WriteRefusal): string | undefined {
  for (const folder of folders) {
    const code = writeRefusal(folder);
    if (code !== undefined) return `this process may not write to ${folder} (${code})`;
  }
  return undefined;
}
