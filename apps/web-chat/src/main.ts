import { openJsonFileStore } from "@sessions/json-file";
import { HELP, readOptions, UsageError } from "./options.js";
import { routes } from "./routes.js";
import { serve } from "./serve.js";

async function main(args: readonly string[]): Promise<void> {
  const { help, port, data, delayMs } = readOptions(args);
  if (help) {
    console.log(HELP);
    return;
  }
  const store = await openJsonFileStore({ root: data });
  const { server, url } = await serve(routes(store, delayMs), port);
  console.log(
    `The chat is at ${url}\nIts conversations are in ${data}. Ctrl+C ends it; kill -9 is fine too.`,
  );
  const end = (): void => {
    server.close();
    server.closeAllConnections();
    store.close().then(() => process.exit(0), fail);
  };
  process.once("SIGINT", end).once("SIGTERM", end);
}

function fail(error: unknown): void {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

main(process.argv.slice(2)).catch(fail);
