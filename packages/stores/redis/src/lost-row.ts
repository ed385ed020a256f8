import { Damage } from "@sessions/protocol/backend";
import type { Loaded, Loading } from "./loading.js";
import type { Moment } from "./moment.js";

/** The first row that was asked for is always sent, however large. If it is not there though its session has not changed, it is lost. */
export function refuseGone({ present }: Loaded, { rows = [] }: Loading, before: Moment): void {
  const [first] = rows;
  if (
    present === undefined ||
    first === undefined ||
    present.content.table.get(first, present.head.version) !== undefined
  )
    return;
  const { head } = present;
  const isSame =
    head.version === before.present?.head.version && head.incarnation === before.present.head.incarnation;
  if (isSame) throw new Damage(`the session ${before.sessionId}, field m${first}`, "is not there");
}
