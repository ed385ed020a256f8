/** `npm run screenshots`: see `help`. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { bootstrap } from "./bootstrap/bootstrap.mjs";
import { root } from "./root.mjs";
import { failureLog } from "./run/failure-log.mjs";
import { main } from "./run/main.mjs";
import { progress } from "./run/progress.mjs";
import { runTurbo } from "./run/run-turbo.mjs";
import { workspaceFolders } from "./workspace.mjs";

const help = `npm run screenshots: builds the apps that have a screenshots.mjs, runs each on demo data, and writes
docs/screenshots/<app>-<name>.png

  npm run screenshots                those of every app
  npm run screenshots -- web-chat    those of one
  npm run screenshots -- --help      this text`;

/** A page of the documentation loads every picture on it. */
const MAX_BYTES = 150 * 1024;

const pictures = join(root, "docs", "screenshots");

await main(async (args) => {
  if (args.includes("--help")) return void console.log(help);
  const folders = foldersOf(args);
  const { say, done } = progress("screenshots");
  const env = await bootstrap(say, { browser: true });
  say("building");
  const failures = failureLog(await runTurbo(["build"], { env }));
  if (failures.length > 0) throw new Error(failures.join("\n"));
  mkdirSync(pictures, { recursive: true });
  for (const folder of folders) {
    say(folder);
    await screenshotsOf(folder, env);
  }
  done();
});

/** The apps that have screenshots, or those of these names. */
function foldersOf(names) {
  const folders = workspaceFolders().filter((folder) => existsSync(join(root, folder, "screenshots.mjs")));
  const unknown = names.find((name) => folders.every((folder) => basename(folder) !== name));
  if (unknown !== undefined) throw new Error(`${unknown}: no app of this name has a screenshots.mjs.`);
  return folders.filter((folder) => names.length === 0 || names.includes(basename(folder)));
}

/**
 * A screenshots.mjs exports `takeScreenshots({ data, env, save })`: `data` is an empty folder, `env` has CHROMIUM_BIN, and
 * `save(name, png)` writes a picture.
 */
async function screenshotsOf(folder, env) {
  const { takeScreenshots } = await import(pathToFileURL(join(root, folder, "screenshots.mjs")).href);
  const data = mkdtempSync(join(tmpdir(), "screenshots-"));
  try {
    await takeScreenshots({ data, env, save: (name, png) => save(`${basename(folder)}-${name}.png`, png) });
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

function save(name, png) {
  if (png.length > MAX_BYTES)
    throw new Error(
      `${name} has ${png.length} bytes, and may have ${MAX_BYTES}. Take a smaller part of the page.`,
    );
  writeFileSync(join(pictures, name), png);
  console.log(`docs/screenshots/${name}: ${Math.ceil(png.length / 1024)} KiB`);
}
