/** `pnpm check`: every check, in a table. `--fix` formats and applies the linter's safe fixes first. */

import { childEnvironment } from "./bootstrap/child-environment.mjs";
import { checks } from "./checks/checks.mjs";
import { checkTable } from "./checks/report-checks.mjs";
import { withUnrunChecks } from "./checks/with-unrun-checks.mjs";
import { failureLog } from "./run/failure-log.mjs";
import { main } from "./run/main.mjs";
import { runTethered } from "./run/run-tethered.mjs";
import { runTurbo } from "./run/run-turbo.mjs";

await main(async (args) => {
  const env = childEnvironment(process.env);
  if (args.includes("--fix")) await fix(env);
  const ran = await runTurbo([...checks.values()], { env, force: args.includes("--force") });
  const outcomes = withUnrunChecks(ran);
  for (const line of [...failureLog(outcomes), "", ...checkTable(outcomes)]) console.log(line);
  return outcomes.every((outcome) => outcome.ok) ? 0 : 1;
});

async function fix(env) {
  const { output } = await runTethered(
    [process.execPath, "node_modules/@biomejs/biome/bin/biome", "check", "--write", "."],
    { env },
  );
  console.log(output);
}
