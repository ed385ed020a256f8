import type { SessionStore } from "@sessions/json-file";
import type { ManagedAgent } from "@sessions/managed-agent";
import type { ChatModel } from "./model/chat-model.js";
import type { Strategy } from "./recovery/strategy.js";
import type { Lines } from "./terminal/lines.js";
import type { Screen } from "./terminal/screen.js";
import type { StopButton } from "./terminal/stop-button.js";

/** What a chat works with. The agent has the id of the current conversation. */
export interface Chat {
  readonly store: SessionStore;
  /** The location of the conversations, as text. */
  readonly place: string;
  readonly agent: ManagedAgent;
  readonly model: ChatModel;
  readonly screen: Screen;
  readonly lines: Lines;
  readonly button: StopButton;
  /** Whether the user can be asked. */
  readonly interactive: boolean;
  readonly recover: Strategy | undefined;
  readonly host: string;
  readonly now: () => number;
  /** The conversations that `/list` showed last, in its order. `/switch 2` means the second of them. */
  listed: readonly string[];
}
