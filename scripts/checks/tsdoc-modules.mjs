import { snippetModules } from "./snippet-modules.mjs";

/**
 * The examples in a source file's TSDoc comments, as modules. They are too short to import what they show,
 * so they may use without a word: whatever their own package exports, and `store` and `session` for an open
 * store and a handle.
 */
export function tsdocModules(source, packageName, exported) {
  const { modules, findings } = snippetModules(commentText(source));
  for (const module of modules) module.lines[0] = prelude(module.lines.join("\n"), packageName, exported);
  return { modules, findings };
}

/** The text inside of comments, each line where it was. */
function commentText(source) {
  let inside = false;
  return source
    .split("\n")
    .map((line) => {
      const opens = /^\s*\/\*\*/.test(line);
      inside = (inside || opens) && !/\*\/\s*$/.test(line);
      return inside && !opens ? line.replace(/^\s*\*\s?/, "") : "";
    })
    .join("\n");
}

/** On the first line, where no example can be. */
function prelude(example, packageName, exported) {
  const uses = (name) => new RegExp(`\\b${name}\\b`).test(example);
  const declares = (name) => new RegExp(`\\b(?:const|let|using|function|class)\\s+${name}\\b`).test(example);
  const names = example.includes(`from "${packageName}"`)
    ? []
    : exported.filter(uses).filter((name) => !declares(name));
  const given = [
    ["store", "SessionStore"],
    ["session", "SessionHandle"],
  ].filter(([name]) => uses(name) && !declares(name));
  return [
    names.length > 0 ? `import { ${names.join(", ")} } from "${packageName}";` : "",
    ...given.map(([name, type]) => `declare const ${name}: import("@sessions/protocol").${type};`),
  ].join(" ");
}
