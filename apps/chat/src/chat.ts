import type { SessionStore } from "@sessions/json-file";
import type { ManagedAgent } from "@sessions/managed-agent";
import type { ChatModel } from "./model/chat-model.js";
import type { Strategy } from "./recovery/strategy.js";
import type { Lines } from "./terminal/lines.js";
import type { Screen } from "./terminal/screen.js";
import type { StopButton } from "./terminal/stop-button.js";

/** What a chat works with. The agent knows which conversation is the present one. */
export interface Chat {
  readonly store: SessionStore;
  /** Where conversations are kept, in words. */
  readonly place: string;
  readonly agent: ManagedAgent;
  readonly model: ChatModel;
  readonly screen: Screen;
  readonly lines: Lines;
  readonly button: StopButton;
  /** Somebody is there to be asked. */
  readonly interactive: boolean;
  readonly recover: Strategy | undefined;
  readonly host: string;
  readonly now: () => number;
  /** The conversations that `/list` showed last, in its order: what the number in `/switch 2` means. */
  listed: readonly string[];
}
