import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The broken twin: a session as examples write it, which reads a file, changes the list and writes the file. */
export class FileSession {
  #path;
  #sessionId;

  constructor(root, sessionId) {
    this.#sessionId = sessionId;
    this.#path = join(root, `${sessionId}.json`);
  }

  async getSessionId() {
    return this.#sessionId;
  }

  async getItems(limit) {
    const items = await this.#read();
    return limit === undefined ? items : items.slice(-limit);
  }

  async addItems(items) {
    await this.#write([...(await this.#read()), ...items]);
  }

  async popItem() {
    const items = await this.#read();
    const item = items.pop();
    await this.#write(items);
    return item;
  }

  async clearSession() {
    await this.#write([]);
  }

  async #read() {
    try {
      return JSON.parse(await readFile(this.#path, "utf8"));
    } catch (error) {
      // Absent, or half written by another: the sample begins anew.
      if (error.code === "ENOENT" || error instanceof SyntaxError) return [];
      throw error;
    }
  }

  async #write(items) {
    await writeFile(this.#path, JSON.stringify(items));
  }
}
