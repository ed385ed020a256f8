import { testProgram } from "./test-program.mjs";

const wanted = {
  variable: "CC",
  names: ["cc", "gcc", "clang", "tcc"],
  folder: "tcc",
  debian: {
    // Small, and sufficient: what the tests build includes no header and links no library.
    name: "tcc",
    package: "tcc",
    path: "usr/bin/tcc",
    otherWays: "Install a C compiler, or name one in CC.",
  },
  problemIn,
};

/** The compiler that builds the preloaded library of the fault tests. */
export function cCompiler(say, env, tools) {
  return testProgram(wanted, say, env, tools);
}

function problemIn(output) {
  const isCompiler = /\b(gcc|clang|tcc)\b|Free Software Foundation/i.test(output);
  return isCompiler ? undefined : `it does not say that it is a C compiler, but: ${output}`;
}
