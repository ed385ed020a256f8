import { documents } from "./documents.js";
import type { ChatMessage, Peer } from "./keeper.js";
import { versionOf } from "./version-of.js";

/** A JSON file for each chat, written without a sync. */
export const grammyFile: Peer = {
  name: `grammY's file storage ${versionOf("@grammyjs/storage-file")}`,
  engine: "folder",
  writes: "each turn",
  async open(folder) {
    const { FileAdapter } = await import("@grammyjs/storage-file");
    const files = new FileAdapter<readonly ChatMessage[]>({ dirName: folder });
    return documents({
      read: (id) => files.read(id),
      write: (id, messages) => files.write(id, messages),
      [Symbol.asyncDispose]: async () => undefined, // nothing is open
    });
  },
};
