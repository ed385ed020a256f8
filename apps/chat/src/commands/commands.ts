import type { Command } from "./command.js";
import { forkCommand } from "./fork.js";
import { helpCommand } from "./help.js";
import { listCommand } from "./list.js";
import { newCommand } from "./new.js";
import { quitCommand } from "./quit.js";
import { retryCommand } from "./retry.js";
import { revertCommand } from "./revert.js";
import { snapshotCommand } from "./snapshot.js";
import { switchCommand } from "./switch.js";
import { undoCommand } from "./undo.js";
import { usageCommand } from "./usage.js";

const OTHERS: readonly Command[] = [
  newCommand,
  listCommand,
  switchCommand,
  forkCommand,
  undoCommand,
  retryCommand,
  snapshotCommand,
  revertCommand,
  usageCommand,
  quitCommand,
];

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [...OTHERS, helpCommand(OTHERS)];
