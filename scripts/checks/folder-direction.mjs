import { posix } from "node:path";

/**
 * Why a file must not import another one of its package, by the order of the package's folders (layers.mjs). Both paths are
 * relative to `src`. `undefined` if it may.
 */
export function wrongFolder({ order, shared, except }, from, to) {
  const [source, target] = [folderOf(from), folderOf(to)];
  if (source === undefined || source === target) return undefined;
  const importedFile = withoutExtension(to);
  if (except.includes(`${withoutExtension(from)} → ${importedFile}`)) return undefined;
  if (target === undefined)
    return shared.includes(importedFile) ? undefined : `${source}/ must not import ${to}, which is above it`;
  const unknown = [source, target].find((folder) => rankOf(folder, order) === -1);
  if (unknown !== undefined)
    return `${unknown}/ is missing in the order of folders in scripts/checks/layers.mjs`;
  return rankOf(target, order) <= rankOf(source, order)
    ? undefined
    : `${source}/ must not import ${target}/, which is above it`;
}

/** The first folder of a path; `undefined` for a file beside the folders. */
function folderOf(path) {
  const [first, ...rest] = path.split("/");
  return rest.length === 0 ? undefined : first;
}

function rankOf(folder, order) {
  return order.findIndex((entry) => [entry].flat().includes(folder));
}

function withoutExtension(path) {
  return path.slice(0, path.length - posix.extname(path).length);
}
