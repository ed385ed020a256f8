#!/usr/bin/env node
import { runCli } from "./run-cli.js";
import { isClosedPipe } from "./terminal/closed-pipe.js";

// Whoever read our output may have had enough. The write under way fails with the same error, and ends the command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (!isClosedPipe(error)) throw error;
  });
}

process.exitCode = await runCli(process.argv.slice(2), process);
