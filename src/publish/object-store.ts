/** Where datasets are published: objects by key in a bucket, below an address or in a directory. */
export type ObjectStore = {
  /** For messages. */
  readonly address: string;
  /** A small object whole; undefined where there is none. Throws UsageError when it is larger than that, or too slow. */
  read(key: string, maxBytes: number): Promise<Buffer | undefined>;
  /** The bytes of an object from a position on. Throws where there is none, and when it breaks off. */
  open(key: string, from: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Size of an object in bytes; undefined where there is none. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Puts an object in its place, whole or not at all. */
  write(key: string, content: Buffer): Promise<void>;
  /** The same with a file; what was sent before a break is not sent again where the store can do that. */
  writeFile(key: string, path: string): Promise<void>;
};
