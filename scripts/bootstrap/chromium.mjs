import { testProgram } from "./test-program.mjs";

const wanted = {
  variable: "CHROMIUM_BIN",
  names: ["chromium", "chromium-browser"],
  folder: "chromium",
  debian: {
    name: "chromium",
    package: "chromium",
    // The start script of Debian reads settings of the machine, which the program itself does not need.
    path: "usr/lib/chromium/chromium",
    otherWays: "Install Chromium, or name one in CHROMIUM_BIN.",
  },
  problemIn,
};

/** The browser for the tests. */
export function chromium(say, env, tools) {
  return testProgram(wanted, say, env, tools);
}

function problemIn(output) {
  return /\bChrom(e|ium)\b/.test(output) ? undefined : `it does not say that it is Chromium, but: ${output}`;
}
