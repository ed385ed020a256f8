import { delimiter } from "node:path";
import { expect, test } from "vitest";
import { childEnvironment } from "../bootstrap/child-environment.mjs";

test("variables of npm about itself are not passed on", () => {
  const env = {
    npm_config_prefix: "x",
    npm_config_global: "true",
    npm_lifecycle_event: "test",
    INIT_CWD: "x",
    npm_config_omit: "dev",
  };
  expect(Object.keys(childEnvironment(env, "bin")).filter((name) => /^npm|^INIT/.test(name))).toEqual([]);
});

test("settings for the registry are passed on", () => {
  const env = {
    npm_config_registry: "r",
    "npm_config_@scope:registry": "s",
    npm_config_https_proxy: "p",
    npm_config_userconfig: "u",
  };
  expect(childEnvironment(env, "bin")).toMatchObject(env);
});

test("the pinned pnpm comes first on the path, however the path is spelled", () => {
  expect(childEnvironment({ PATH: "a" }, "bin").PATH).toBe(`bin${delimiter}a`);
  expect(childEnvironment({ Path: "a" }, "bin").Path).toBe(`bin${delimiter}a`);
  expect(childEnvironment({ PATH: "a" }).PATH).toBe("a");
});

test("a remote cache of the user is not used", () => {
  expect(childEnvironment({ TURBO_TOKEN: "secret", TURBO_FORCE: "1", HOME: "h" }, "bin")).not.toHaveProperty(
    "TURBO_TOKEN",
  );
});
