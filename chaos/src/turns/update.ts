import { Random } from "run-tools";

/** The busy modes of bots. */
export const BUSY_MODES = ["queue", "merge", "interrupt", "reject"] as const;

/** The busy mode of a bot's conversation, or `agent` for the conversation of an agent. */
export type Mode = BusyMode | "agent";

/** A busy mode of bots. */
export type BusyMode = (typeof BUSY_MODES)[number];

/** What a platform delivers to a bot, or a prompt for an agent. The seed and the number determine everything else. */
export interface Update {
  readonly number: number;
  readonly mode: Mode;
  /** Says what a reset does. Bots of both accounts have the same users and get the same update ids. */
  readonly account: "archives" | "destroys";
  readonly user: string;
  /** Updates whose users may come to share a conversation have the same group. */
  readonly group: string;
  /** The two users of the group may be linked. */
  readonly links: boolean;
  /** Whether it is the command that begins a new conversation. */
  readonly isReset: boolean;
}

/** Consecutive ids have the same mode, so that updates of a conversation come while another one is answered. */
const IDS_PER_BURST = 6;
/** Ids of one slice share their users. The next slice has new users, which bounds the size of conversations. */
const IDS_PER_SLICE = 3 * IDS_PER_BURST * BUSY_MODES.length;
const PROMPTS_PER_SLICE = 45;
const RESET_CHANCE = 0.1;

/** Which updates are delivered. */
export interface Traffic {
  readonly seed: number;
  /** The busy modes of the bots. */
  readonly modes: readonly BusyMode[];
  /** Whether users are linked. */
  readonly links: boolean;
}

/** An update for a bot. Two numbers share an id: one for each account. */
export function botUpdate({ seed, modes, links: mayLink }: Traffic, number: number): Update {
  const id = updateId(number);
  const random = new Random(seed, "update", id);
  const account = number % 2 === 0 ? "archives" : "destroys";
  const mode = modes[Math.floor(id / IDS_PER_BURST) % modes.length] ?? "queue";
  const slice = Math.floor(id / IDS_PER_SLICE);
  const user = `${slice}-${random.between(0, 1)}`;
  const links = mayLink && slice % 2 === 1;
  const group = `${mode}/${account}/${links ? slice : user}`;
  return { number, mode, account, user, group, links, isReset: random.chance(RESET_CHANCE) };
}

/** The id under which the platform delivers the update. */
export function updateId(number: number): number {
  return Math.floor(number / 2);
}

/** A prompt for an agent. */
export function agentUpdate({ seed }: Traffic, number: number): Update {
  const user = `${Math.floor(number / PROMPTS_PER_SLICE)}-${new Random(seed, "prompt", number).between(0, 2)}`;
  const group = `agent/${user}`;
  return { number, mode: "agent", account: "archives", user, group, links: false, isReset: false };
}
