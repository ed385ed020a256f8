/** Bundles the page into `dist/`, beside the server that sends it. */
import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: { page: file("page.tsx"), style: file("style/page.css") },
  outdir: file("../../dist"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
});
for (const name of ["index.html", "favicon.svg"]) await copyFile(file(name), file(`../../dist/${name}`));
