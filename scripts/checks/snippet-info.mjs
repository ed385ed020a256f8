/**
 * The text after the three backticks of a TypeScript fence:
 *
 *   ts                     compiled as a separate module
 *   ts run                 compiled; its text is also run by Node as plain JavaScript and must end with exit code 0
 *   ts continues           the rest of the TypeScript fence before it, as one module
 *   ts title="src/a.ts"    a file of that name; the other fences of the page may import "./src/a.js"
 *   ts no-check="reason"   not compiled, for the reason given
 */
const languages = new Set(["ts", "typescript", "tsx", "mts", "js", "javascript", "jsx", "mjs"]);
const word = /^(?:(run|continues)|(title|no-check)="([^"]*)")$/;

/**
 * The options of a fence as `{ run, continues, title, noCheck }`; undefined if it is no TypeScript. Throws
 * on a mistake.
 */
export function snippetInfo(info) {
  const [language, ...words] = info.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  if (!languages.has(language?.toLowerCase())) return undefined;
  if (language !== "ts")
    throw new Error(`write \`\`\`ts instead of \`\`\`${language}, so that it is checked`);
  const options = Object.fromEntries(words.map(option));
  if (options["no-check"] !== undefined) requireReason(options, words);
  if (options.title !== undefined) requireTitle(options.title);
  return { ...options, noCheck: options["no-check"] };
}

function option(text) {
  const [, flag, name, value] = word.exec(text) ?? [];
  if (flag === undefined && name === undefined) throw new Error(`\`\`\`ts does not know ${text}: ${known}`);
  return [flag ?? name, flag ? true : value];
}

const known = 'it knows run, continues, title="file.ts" and no-check="reason"';

function requireReason(options, words) {
  if (words.length > 1) throw new Error("no-check goes with nothing else");
  if (!/\w+\s+\w+/.test(options["no-check"]))
    throw new Error("no-check needs a reason of at least two words");
}

function requireTitle(title) {
  const inside = !title.startsWith("/") && !title.split("/").includes("..");
  if (!inside || !title.endsWith(".ts"))
    throw new Error(`title="${title}" must be a relative path that ends in .ts`);
}
