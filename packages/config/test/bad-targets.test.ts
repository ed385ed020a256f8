import { expect, test } from "vitest";
import { resolveStore } from "../src/index.js";
import { temporaryFolder } from "./temporary-folder.js";

const refusal = async (target: unknown, files: Readonly<Record<string, string>> = {}): Promise<unknown> => {
  const cwd = await temporaryFolder(files);
  // What plain JavaScript and JSON can hand over, whatever the types say.
  return Reflect.apply(resolveStore, undefined, [target, { cwd, env: {}, onNotice: () => undefined }]).catch(
    (error: unknown) => error,
  );
};

test.each<[unknown, string, RegExp]>([
  ["./sessions", "target", /For a path, write file:\.\/sessions/],
  ["./sessions.db", "target", /write sqlite:\.\/sessions\.db/],
  ["C:\\data", "target", /write file:C:\/data/],
  ["slite:./x.db", "target", /Did you mean "sqlite"\?/],
  ["postgres://h/db", "target", /The kinds are file, sqlite, redis/],
  ["file:", "target", /has no path/],
  ["file://host/share", "target", /names a host/],
  ["file:./a%zz", "target", /Write the % itself as %25/],
  ["sqlite:./x.db?serach=true", "target.serach", /Did you mean "search"\?/],
  ["sqlite:./x.db?search=maybe", "target.search", /must be true or false/],
  ["sqlite:./x.db?deadlineMs=-1", "target.deadlineMs", /must be a whole number/],
  ["sqlite:./x.db?search=1&search=0", "target", /twice/],
  ["sqlite:./x.db?database=1", "target.database", /cannot be given in a URL/],
  ["file:./a?root=b", "target.root", /is in the address already/],
  ["file:./a?fileMode=999", "target.fileMode", /octal/],
  ["memory:somewhere", "target", /a store in memory has none/],
  ["redis://a,b", "target", /names several hosts/],
  ["redis+sentinel://a:26379", "target", /mymaster/],
  ["redis://a?prefix=", "target.prefix", /must be the beginning of all keys, such as chats\.$/],
  ["memory:?nope=1", "target.nope", /It has conflictDeadlineMs\.$/],
  ["redis://a:1/x", "target", /number of a database/],
  [7, "target", /must be a URL such as/],
  [null, "target", /must be a URL such as/],
  [{}, "target.store", /must be one of file, sqlite, redis, memory/],
  [{ store: "sqllite" }, "target.store", /Did you mean "sqlite"\?/],
  [{ store: "sqlite", url: "file:./x" }, "target.url", /is the URL of another kind of store/],
  [{ url: "file:./x", root: "y" }, "target.root", /is in the url already/],
  [{ store: "sqlite" }, "target.path", /must be a file/],
  [{ store: "sqlite", path: 7 }, "target.path", /must be the path of a file\.$/],
  [{ store: "file", root: "x", durabilty: "strict" }, "target.durabilty", /Did you mean "durability"\?/],
  [{ store: "file", root: "x", __proto__x: 1 }, "target.__proto__x", /is not an option/],
  [{ store: "redis" }, "target.host", /must be the server's name/],
])("%j is refused, with the path and what to do", async (target, path, message) => {
  const error = await refusal(target).then(async (resolved) =>
    resolved instanceof Error ? resolved : await opening(resolved),
  );
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT", path, message: expect.stringMatching(message) });
});

async function opening(resolved: unknown): Promise<unknown> {
  if (typeof resolved !== "object" || resolved === null || !("open" in resolved)) return resolved;
  if (typeof resolved.open !== "function") return resolved;
  return Reflect.apply(resolved.open, resolved, []).catch((error: unknown) => error);
}

test.each<[Readonly<Record<string, string>>, RegExp]>([
  [{ "sessions.config.json": "{" }, /sessions\.config\.json cannot be read/],
  [{ "sessions.config.json": '{ "sotre": "memory:" }' }, /sotre is not a setting\. Did you mean "store"\?/],
  [{ "sessions.config.json": "{}" }, /sessions\.config\.json: store is missing/],
  [{ "sessions.config.json": "[]" }, /must export an object/],
  [
    { "sessions.config.json": '{ "store": "memry:" }' },
    /sessions\.config\.json: store .*Did you mean "memory"\?/,
  ],
  [{ "sessions.config.js": "throw new Error('oh')" }, /sessions\.config\.js cannot be read: oh/],
  [{ "sessions.config.js": "export const x = 1;" }, /must export an object/],
  [{ "sessions.config.js": "export default {}", "sessions.config.json": "{}" }, /holds both/],
])("a config file %j is refused", async (files, message) => {
  expect(await refusal(undefined, { "package.json": '{ "type": "module" }', ...files })).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringMatching(message),
  });
});
