import { folderName } from "./folder-name.js";

/** So many names are remembered. */
const MOST = 1024;

/** The folder names of sessions. Escaping an id costs as much as the rest of a lookup, and the same ids come again. */
export class FolderNames {
  readonly #names = new Map<string, string>();

  of(sessionId: string): string {
    const known = this.#names.get(sessionId);
    if (known !== undefined) return known;
    const name = folderName(sessionId);
    if (this.#names.size === MOST) this.#names.clear();
    this.#names.set(sessionId, name);
    return name;
  }
}
