import { listenForStop } from "./stop.mjs";

/** Runs a script's body. Its answer, if any, is the exit code; an error is told and is exit code 1. */
export async function main(body) {
  listenForStop();
  try {
    process.exitCode = (await body(process.argv.slice(2))) ?? process.exitCode;
  } catch (error) {
    // A plain Error says all there is to say. Any other kind is a mistake somewhere: show where.
    console.error(error?.constructor === Error || error?.exitCode ? error.message : error);
    process.exitCode = error?.exitCode ?? 1;
  }
}
