import type { Moment } from "./moment.js";
import type { Patch } from "./patch.js";
import type { Text } from "./server.js";
import { ENTRY_COUNTS_MS } from "./session-index.js";

/** The arguments of the script that writes a patch. */
export function commitArguments(
  channel: string,
  who: string,
  { present, window }: Moment,
  patch: Patch,
  indexedAt: number | undefined,
): readonly Text[] {
  const { fields, dropped, lines, messageRows, windowFields, windowDropped, given, turns } = patch;
  return [
    channel,
    who,
    present?.head.incarnation ?? "",
    window?.revision ?? "",
    present?.head.version ?? "",
    indexedAt ?? "",
    ENTRY_COUNTS_MS,
    patch.isLive ? "live" : "ended",
    patch.revision,
    patch.at,
    patch.isTold ? "1" : "",
    patch.isNewLife ? "1" : "",
    patch.expiry,
    patch.windowExpiry,
    patch.givenHorizon === undefined ? "" : "1",
    patch.givenHorizon ?? "",
    patch.turnHorizon,
    patch.expiresAt ?? "-",
    ...[fields, dropped.map((name) => [name]), lines, messageRows].flatMap(listArguments),
    ...[windowFields, windowDropped.map((name) => [name])].flatMap(listArguments),
    ...[given, turns].flatMap(listArguments),
  ];
}

function listArguments(items: readonly (readonly string[])[]): readonly Text[] {
  return [items.length, ...items.flat()];
}
