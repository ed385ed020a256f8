import type { FailingBackend, WriteFailure } from "@sessions/conformance";
import type { FileSystem } from "../../src/engine/file-system.js";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import type { JsonFileStoreOptions } from "../../src/options.js";
import { openBackend } from "../fixtures/open-backend.js";

/** A backend on a disk that can be made to be full, or to fail every sync. */
export async function failingBackend(
  options: JsonFileStoreOptions,
  kind: WriteFailure,
): Promise<FailingBackend> {
  let isFailing = false;
  const real = nodeFileSystem({ folder: 0o700, file: 0o600 });
  const failOr = <Result>(code: string, call: () => Result): Result => {
    if (isFailing) throw Object.assign(new Error(`${code}: the disk fails`), { code });
    return call();
  };
  const fileSystem: FileSystem =
    kind === "refused"
      ? { ...real, append: (file, bytes) => failOr("ENOSPC", () => real.append(file, bytes)) }
      : {
          ...real,
          sync: async (file) => failOr("EIO", () => real.sync(file)),
          syncFolder: async (path) => failOr("EIO", () => real.syncFolder(path)),
        };
  return {
    backend: await openBackend(options, fileSystem),
    fail() {
      isFailing = true;
      return () => {
        isFailing = false;
      };
    },
  };
}
