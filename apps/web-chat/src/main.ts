import { resolveStore } from "@sessions/config";
import { SessionError } from "@sessions/json-file";
import { HELP, readOptions, UsageError } from "./options.js";
import { routes } from "./routes.js";
import { serve } from "./serve.js";

async function main(args: readonly string[]): Promise<void> {
  const { help, port, store: target, delayMs, allowedHosts } = readOptions(args, process.env);
  if (help) {
    console.log(HELP);
    return;
  }
  const resolved = await resolveStore(target);
  const store = await resolved.open();
  const { server, url } = await serve(routes(store, delayMs), port, allowedHosts);
  console.log(
    `The chat is at ${url}\nIts conversations are in ${resolved.location}. Ctrl+C ends it; kill -9 is fine too.`,
  );
  const end = (): void => {
    server.close();
    server.closeAllConnections();
    store.close().then(() => process.exit(0), fail);
  };
  process.once("SIGINT", end).once("SIGTERM", end);
}

function fail(error: unknown): void {
  console.error(error instanceof UsageError || SessionError.is(error) ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

main(process.argv.slice(2)).catch(fail);
