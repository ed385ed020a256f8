import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../root.mjs";
import { plant } from "./plant.mjs";

const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
const plugin = "scripts/lint/failure-is-not-absence.grit";
const read = (file) => readFileSync(join(root, file), "utf8");
const settings = {
  "biome.jsonc": read("biome.jsonc").replace(/"\$schema".*\n/, ""),
  ".gitignore": "node_modules/\n",
  [plugin]: read(plugin),
};

/** What the linter says of a text that stands in that file. */
function lint(file, text) {
  const top = plant({ ...settings, [file]: text });
  const { stderr, stdout } = spawnSync(process.execPath, [biome, "lint", file], {
    cwd: top,
    encoding: "utf8",
  });
  const output = stdout + stderr;
  expect(output).toContain("Checked 1 file");
  return output;
}

test("a failure that is returned as absence is found", () => {
  const found = (handler) =>
    lint(
      "packages/stores/x/src/a.ts",
      `export function read() {\n  try {\n    return open();\n  } ${handler}\n}\n`,
    );
  expect(found("catch {\n    return undefined;\n  }")).toContain("not an absence");
  expect(found("catch (error) {\n    return null;\n  }")).toContain("not an absence");
  expect(
    found("catch (error) {\n    if (gone(error)) return undefined;\n    throw error;\n  }"),
  ).not.toContain("not an absence");
});

test("Node's modules are found in the protocol, and only there", () => {
  const text = 'import { join } from "node:path";\n\nexport const a: string = join("a", "b");\n';
  expect(lint("packages/protocol/src/a.ts", text)).toContain("noNodejsModules");
  expect(lint("packages/stores/x/src/a.ts", text)).not.toContain("noNodejsModules");
});

test.each([
  ["noExplicitAny", "export const a = (x: any): void => x();\n"],
  ["noNonNullAssertion", "export const a = (x?: string): string => x!;\n"],
  ["noEmptyBlockStatements", "try {\n  a();\n} catch {}\n"],
  ["noFloatingPromises", "async function a(): Promise<void> {}\nexport function b(): void {\n  a();\n}\n"],
])("%s is on", (rule, text) => {
  expect(lint("packages/stores/x/src/a.ts", text)).toContain(rule);
});
