import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestEnd } from "./test-cleanup.js";

/** A folder that is removed when the test has ended. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sessions-test-"));
  onTestEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
