import { storeFull } from "../error-mapping.js";
import type { JournalFolder } from "../session/journal-folder.js";
import { encodeHeader, encodeLine } from "../session/lines/encode-lines.js";
import type { LineBody } from "../session/lines/line-bodies.js";

/** How much is gathered before it is written. */
const SLICE_BYTES = 256 * 1024;

/** A segment in the making. Nobody else writes to it, and it means nothing until a seal names it. */
export class Candidate {
  readonly name: string;
  readonly #folder: JournalFolder;
  readonly #path: string;
  readonly #writer: string;
  readonly #salt: string;
  readonly #file: number;
  #gathered: Buffer[] = [];
  #gatheredLength = 0;
  #offset = 0;
  #last: string;

  constructor(folder: JournalFolder, writer: string, header: { readonly id: string; readonly g: number }) {
    this.#folder = folder;
    this.#writer = writer;
    this.#salt = folder.context.nonce(4);
    this.name = folder.candidateName(header.g);
    this.#path = folder.candidate(this.name);
    this.#file = folder.context.fileSystem.create(this.#path);
    const line = encodeHeader({ ...header, salt: this.#salt });
    this.#last = line.checksum;
    this.#gather(line.bytes);
  }

  /** Adds lines. Yields to the event loop now and then. */
  async add(bodies: Iterable<LineBody>): Promise<void> {
    for (const body of bodies) {
      const offset = this.#offset;
      const position = { offset, last: this.#last, writer: this.#writer, salt: this.#salt };
      const line = encodeLine(body, { ...position, unconfirmedFrom: offset });
      this.#last = line.checksum;
      this.#gather(line.bytes);
      if (this.#gatheredLength > SLICE_BYTES) this.#write();
      await this.#folder.context.share.continue();
    }
  }

  /** Resolves when it is on the disk, with its name. That must be so before a seal names it. */
  async sync(): Promise<void> {
    const { fileSystem } = this.#folder.context;
    this.#write();
    await fileSystem.sync(this.#file);
    await fileSystem.syncFolder(this.#folder.path);
  }

  close(): void {
    this.#folder.context.fileSystem.close(this.#file);
  }

  /** Only where no seal can name it: no other process seals to it. */
  remove(): void {
    this.#folder.context.fileSystem.remove(this.#path);
  }

  #gather(bytes: Buffer): void {
    this.#gathered.push(bytes);
    this.#gatheredLength += bytes.length;
    this.#offset += bytes.length;
  }

  #write(): void {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredLength = 0;
    const written = this.#folder.context.fileSystem.append(this.#file, bytes);
    if (written < bytes.length) throw storeFull(this.#path);
  }
}
