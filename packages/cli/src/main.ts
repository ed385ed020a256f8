#!/usr/bin/env node
import { runCli } from "./run-cli.js";
import { isClosedPipe } from "./terminal/closed-pipe.js";

// The reader of the output may have closed the pipe. The current write fails with the same error and ends the command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (!isClosedPipe(error)) throw error;
  });
}

process.exitCode = await runCli(process.argv.slice(2), process);
