import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Fills `folder` once, beside it, and moves it there in one rename: it is whole or absent, whatever is
 * killed when. `fill` is given the folder to fill.
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

/** What killed runs left: the folders named after processes that are no more. */
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
    // Another run was faster; its folder is as good as ours.
    if (!existsSync(folder)) throw error;
  }
}
