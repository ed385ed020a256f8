import { root } from "../root.mjs";
import { runTethered } from "../run/run-tethered.mjs";

const progressLine = /^Progress: resolved (\d+), .*\badded (\d+)/;

/**
 * Installs exactly what the lockfile says; fast, and without network, when that is what is there already.
 * With `only`, what those workspace packages need and the tools of the root; the others' folders are left as
 * they are, so that an install of everything and one of a part can follow each other in any order.
 * `onInstalled` hears how far it is.
 */
export async function installDependencies(pnpm, env, { only, onInstalled }) {
  // --prod=false: NODE_ENV=production in the caller's environment must not leave out the tools.
  const install = ["install", "--frozen-lockfile", "--prod=false", "--reporter=append-only"];
  const filters = only.map((name) => `--filter=${name}`);
  const lines = [];
  const { code, output } = await runTethered([process.execPath, pnpm.script, ...install, ...filters], {
    cwd: root,
    env,
    onLine(line) {
      lines.push(line);
      const [, all, added] = progressLine.exec(line) ?? [];
      if (added > 0) onInstalled?.(added, all);
    },
  });
  if (code !== 0)
    throw new Error(`pnpm could not install what pnpm-lock.yaml lists.\n${lines.join("\n")}\n${output}`);
}
