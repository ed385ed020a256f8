/** Bundles the page into `dist/page.js`, beside the server that sends it. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

await build({
  entryPoints: [fileURLToPath(new URL("page.tsx", import.meta.url))],
  outfile: fileURLToPath(new URL("../../dist/page.js", import.meta.url)),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
});
