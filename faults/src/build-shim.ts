import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** How long the compiler may take, for one file of 300 lines. */
const COMPILE_MS = 30_000;

const SOURCE = fileURLToPath(new URL("../shim/failing-calls.c", import.meta.url));

/** Builds the shim into a folder, with the compiler that CC names. Returns its path. */
export async function buildShim(folder: string): Promise<string> {
  const compiler = process.env.CC ?? "cc";
  const path = join(folder, "failing-calls.so");
  // Without the standard library: a compiler that was unpacked from its package alone has none.
  const args = ["-shared", "-fPIC", "-nostdlib", "-o", path, SOURCE];
  try {
    await promisify(execFile)(compiler, args, { timeout: COMPILE_MS });
    return path;
  } catch (cause) {
    const hint = "`npm run faults` and `npm test` find one or unpack Debian's tcc. Otherwise name one in CC.";
    throw new Error(`The C compiler ${compiler} could not build the shim. ${hint}\n${String(cause)}`);
  }
}
