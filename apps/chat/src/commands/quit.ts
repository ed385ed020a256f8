import type { Command } from "./command.js";

export const quitCommand: Command = {
  name: "/quit",
  does: "leaves; the conversation goes on with the next start (Ctrl-D does the same)",
  run: async () => "leave",
};
