import { Damage } from "@sessions/protocol/backend";
import type { Loaded, Loading } from "./loading.js";
import type { Moment } from "./moment.js";

/**
 * The first row that was asked for is always sent, however large. If it is not there though its session has not changed, it is
 * lost. The table does not show that: another call may have read a draft at another version meanwhile.
 */
export function refuseGone({ present, lacksFirstRow }: Loaded, { rows = [] }: Loading, before: Moment): void {
  if (present === undefined || !lacksFirstRow) return;
  const { head } = present;
  const isSame =
    head.version === before.present?.head.version && head.incarnation === before.present.head.incarnation;
  if (isSame) throw new Damage(`the session ${before.sessionId}, field m${rows[0]}`, "is not there");
}
