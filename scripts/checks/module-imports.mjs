import { parseSync, Visitor } from "oxc-parser";

/**
 * Every module that a TypeScript or JavaScript source names: imports and re-exports (of types too),
 * `import()`, `import("…")` in a type, `require`, `import.meta.resolve`. Answers `{ specifier, line }`.
 */
export function moduleImports(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: cannot be parsed: ${errors[0].message}`);
  const found = [];
  const take = (node) => {
    if (node?.type === "Literal" && typeof node.value === "string") {
      found.push({ specifier: node.value, line: text.slice(0, node.start).split("\n").length });
    }
  };
  new Visitor({
    ImportDeclaration: (node) => take(node.source),
    ExportNamedDeclaration: (node) => take(node.source),
    ExportAllDeclaration: (node) => take(node.source),
    ImportExpression: (node) => take(node.source),
    TSImportType: (node) => take(node.source ?? node.argument),
    TSExternalModuleReference: (node) => take(node.expression),
    CallExpression: (node) => isLoader(node.callee) && take(node.arguments[0]),
  }).visit(program);
  return found;
}

function isLoader(callee) {
  if (callee.type === "Identifier") return callee.name === "require";
  return (
    callee.type === "MemberExpression" &&
    callee.object.type === "MetaProperty" &&
    callee.property.name === "resolve"
  );
}
