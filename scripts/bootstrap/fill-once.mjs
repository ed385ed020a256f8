import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Fills a temporary folder and renames it to `folder`, so that `folder` is complete or absent, even after a kill.
 * `fill` gets the folder to fill.
 */
export async function fillOnce(tools, folder, fill) {
  mkdirSync(tools, { recursive: true });
  removeLeftovers(tools);
  if (existsSync(folder)) return;
  const partial = mkdtempSync(join(tools, `partial-${process.pid}-`));
  try {
    await fill(partial);
    moveIntoPlace(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Removes what killed runs left: folders named after processes that have ended. */
function removeLeftovers(tools) {
  for (const name of readdirSync(tools)) {
    const owner = /^partial-(\d+)-/.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(tools, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function moveIntoPlace(partial, folder) {
  try {
    renameSync(partial, folder);
  } catch (error) {
    // Another run was faster, and its folder is the same.
    if (!existsSync(folder)) throw error;
  }
}
