import type { Deadline } from "../engine/deadline.js";
import type { Server } from "../engine/server.js";
import { serverSettings, settingsWarnings } from "../engine/server-settings.js";
import type { Warnings } from "./warnings.js";

/** What was printed, lest a process that opens many stores says it many times. */
const printed = new Set<string>();

interface SettingsContext {
  readonly server: Server;
  readonly warnings: Warnings;
  readonly location: string;
}

/**
 * Warns of settings with which acknowledged commits can be lost. Who gave no `onWarning` is told by a warning of the process: one may go
 * on, but should know.
 */
export async function warnOfSettings(
  { server, warnings, location }: SettingsContext,
  hasListener: boolean,
  deadline: Deadline,
): Promise<void> {
  const found = settingsWarnings(await serverSettings(server, deadline));
  for (const warning of found) warnings.set(warning, warning);
  if (found.length === 0 || hasListener) return;
  const text = `${location}: ${found.join(" ")}`;
  if (printed.has(text)) return;
  printed.add(text);
  process.emitWarning(text, { type: "SessionsWarning", code: "SESSIONS_REDIS_SETTINGS" });
}
