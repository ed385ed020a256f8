import { root } from "../root.mjs";
import { runTethered } from "../run/run-tethered.mjs";

/** Installs exactly what the lockfile says; fast, and without network, when that is what is there already. */
export async function installDependencies(pnpm, env, say) {
  say("installing dependencies");
  // --prod=false: NODE_ENV=production in the caller's environment must not leave out the tools.
  const install = ["install", "--frozen-lockfile", "--prod=false", "--reporter=append-only"];
  const { code, output } = await runTethered([process.execPath, pnpm.script, ...install], {
    cwd: root,
    env,
  });
  if (code !== 0) throw new Error(`pnpm could not install what pnpm-lock.yaml lists.\n${output}`);
}
