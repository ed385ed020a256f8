import { idle } from "./idle.js";
import { readLive } from "./look.js";
import { messageOf, newMessageId } from "./message.js";
import { sharedSession } from "./shared-session.js";
import { told } from "./told.js";
import type { Work } from "./workplace.js";

/** As a bot does it: read, let the model think, replace everything. `base` is what makes that safe. */
export const replace: Work = async (place) => {
  const { store, recorder } = place;
  const session = sharedSession(place, "chat");
  const read = await readLive(place, session);
  await idle(place, 8);
  const id = newMessageId(place);
  const messages = [...(read?.messages ?? []), messageOf(id)];
  const options = { base: read?.revision ?? 0 };
  const action = { kind: "insert", ids: [id] } as const;
  await recorder.call(session, action, () => store.setChatHistory(session, messages, options), told);
};
