import { noRoom } from "../error-mapping.js";
import type { JournalPlace } from "../session/journal-folder.js";
import { composedHeader, composedLine } from "../session/lines/encode-lines.js";
import type { Fragment } from "../session/lines/line-bodies.js";

/** How much is gathered before it is written. */
const SLICE = 256 * 1024;

/** A segment in the making. Nobody else writes to it, and it means nothing until a seal names it. */
export class Candidate {
  readonly name: string;
  readonly #place: JournalPlace;
  readonly #writer: string;
  readonly #salt: string;
  readonly #file: number;
  #gathered: Buffer[] = [];
  #gatheredLength = 0;
  #offset = 0;
  #last: string;

  constructor(place: JournalPlace, writer: string, header: { readonly id: string; readonly g: number }) {
    this.#place = place;
    this.#writer = writer;
    this.#salt = place.context.nonce(4);
    this.name = place.candidateName(header.g);
    this.#file = place.context.fileSystem.create(place.candidate(this.name));
    const line = composedHeader({ ...header, salt: this.#salt });
    this.#last = line.checksum;
    this.#gather(line.bytes);
  }

  /** Adds lines. Lets others have their turn now and then. */
  async add(fragments: Iterable<Fragment>): Promise<void> {
    for (const fragment of fragments) {
      const place = { offset: this.#offset, last: this.#last, writer: this.#writer, salt: this.#salt };
      const line = composedLine(fragment, place, undefined);
      this.#last = line.checksum;
      this.#gather(line.bytes);
      if (this.#gatheredLength > SLICE) this.#write();
      await this.#place.context.share.continue();
    }
  }

  /** Resolves when it is on the disk, with its name. That must be so before a seal names it. */
  async sync(): Promise<void> {
    this.#write();
    await this.#place.context.fileSystem.sync(this.#file);
    await this.#place.context.fileSystem.syncFolder(this.#place.folder);
  }

  close(): void {
    this.#place.context.fileSystem.close(this.#file);
  }

  /** Only where no seal of ours counts: nobody else would seal to it. */
  remove(): void {
    this.#place.context.fileSystem.remove(this.#place.candidate(this.name));
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
    const written = this.#place.context.fileSystem.append(this.#file, bytes);
    if (written < bytes.length) throw noRoom(this.#place.candidate(this.name));
  }
}
