/** The call paths that docs/architecture.md lists: generated, and checked by a test. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const page = fileURLToPath(new URL("../architecture.md", import.meta.url));
const stores = ["sqlite", "json-file"];

const recorder = fileURLToPath(new URL("record-call-path.mjs", import.meta.url));

/** The page with the call path of each store between its two markers. */
export function withCallPaths(text) {
  return stores.reduce((page, store) => between(page, store, rendered(recordedIn(store))), text);
}

/** Recorded three times: a file that runs only now and then is not part of the path. */
function recordedIn(store) {
  const runs = [1, 2, 3].map(() =>
    JSON.parse(execFileSync(process.execPath, [recorder, store], { encoding: "utf8" })),
  );
  const [first, ...others] = runs;
  return first.filter(({ file }) => others.every((run) => run.some((call) => call.file === file)));
}

/** A table by folder, in the order of the packages: the protocol, what stores share, the store. */
function rendered(calls) {
  const folders = new Map();
  for (const { file } of calls.toSorted(
    (a, b) => order(a.file) - order(b.file) || (a.file < b.file ? -1 : 1),
  )) {
    const folder = file.slice(0, file.lastIndexOf("/"));
    folders.set(folder, [...(folders.get(folder) ?? []), file.slice(folder.length + 1)]);
  }
  const rows = [...folders].map(([folder, files]) => `| \`${folder}\` | ${files.join(", ")} |`);
  return [summary(calls), "", "| folder | files |", "|---|---|", ...rows].join("\n");
}

/** Folders of the protocol that know nothing of sessions: they check values, copy JSON, make ids, share lists and the event loop. */
const tools = /^protocol\/(arguments|encoding|ids|json|persistent|platform)\//;

function summary(calls) {
  const count = (pattern) => calls.filter(({ file }) => pattern.test(file)).length;
  const parts = [
    `${count(/^protocol\//) - count(tools)} of the protocol that carry and decide the commit`,
    `${count(tools)} tools of the protocol (values, JSON, ids, lists, the event loop)`,
    ...(count(/^row-engine\//) > 0 ? [`${count(/^row-engine\//)} of the row engine`] : []),
    `${count(/^stores\//)} of the store`,
  ];
  return `${calls.length} files: ${parts.join(", ")}.`;
}

const order = (file) => ["protocol", "row-engine", "stores"].indexOf(file.split("/")[0]);

function between(text, store, content) {
  const [begin, end] = [`<!-- addMessage on ${store} -->`, `<!-- end of addMessage on ${store} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no markers for ${store}`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}
