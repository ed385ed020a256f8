import { listenForStop } from "./stop.mjs";

/** Runs the body of a script. Its result, if any, is the exit code. An error is printed, with exit code 1. */
export async function main(body) {
  listenForStop();
  try {
    process.exitCode = (await body(process.argv.slice(2))) ?? process.exitCode;
  } catch (error) {
    // The message of a plain Error is enough. Any other class is a bug, so the stack is printed.
    console.error(error?.constructor === Error || error?.exitCode ? error.message : error);
    process.exitCode = error?.exitCode ?? 1;
  }
}
