import { parseSync } from "oxc-parser";

/** The names that an index file exports. */
export function exportedNames(file, text) {
  const { program } = parseSync(file, text);
  return program.body
    .filter((node) => node.type === "ExportNamedDeclaration")
    .flatMap((node) => node.specifiers.map((specifier) => specifier.exported.name));
}
