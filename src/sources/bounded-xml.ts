/**
 * An XML parser that keeps to little memory whatever it is fed: the elements that are open and the text between two
 * tags are bounded. Without it a text, a comment, an attribute or a document type without end fills the memory.
 */
import { SaxesParser } from 'saxes';
import { SourceError } from '../core/street-records.ts';

/** Far above the 3 levels of OpenStreetMap's files. */
const maxDepth = 64;
/** Characters between two tags, or inside one. The longest relation of OpenStreetMap takes about 3 million. */
export const maxCharacters = 1 << 24;

type XmlHandlers = {
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
};

export class BoundedXml {
  readonly #parser = new SaxesParser({ position: false });
  readonly #file: string;
  readonly #format: string;
  #depth = 0;
  #sinceTag = 0;
  #bytes = 0;

  /** `format` stands in messages: `OSM XML`. */
  constructor(file: string, format: string, { open, close }: XmlHandlers) {
    this.#file = file;
    this.#format = format;
    // Malformed XML is thrown out of the parser's callback.
    this.#parser.on('error', (error) => this.#fail(error.message));
    this.#parser.on('opentag', (tag) => {
      this.#sinceTag = 0;
      if (++this.#depth > maxDepth) this.#fail(`elements nest deeper than ${maxDepth} levels`);
      open(tag.name, tag.attributes as Record<string, string>);
    });
    this.#parser.on('closetag', (tag) => {
      this.#sinceTag = 0;
      this.#depth--;
      close(tag.name);
    });
  }

  /** Parses the next piece of the text, which came from `bytes` bytes. Throws SourceError. */
  write(text: string, bytes: number): void {
    this.#bytes += bytes;
    this.#sinceTag += text.length;
    this.#parser.write(text);
    if (this.#sinceTag > maxCharacters) this.#fail(`more than ${maxCharacters} characters without a tag`);
  }

  /** To be called at the end. Throws SourceError when elements are still open. */
  finish(): void {
    this.#parser.close();
  }

  #fail(reason: string): never {
    const [first] = reason.split('\n');
    throw new SourceError(
      `${this.#file} is not a valid ${this.#format} file, or is truncated, near byte ${this.#bytes} unpacked: ${first}; download it again`,
    );
  }
}
