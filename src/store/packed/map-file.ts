/** Files mapped into memory, by the C library's mmap. Node has no function of its own for it. */

/** Pages may be read; a write makes a private copy of its page, as it would end the process otherwise. */
const readWrite = 1 | 2;
const mapPrivate = 2;
const failed = 0xffff_ffff_ffff_ffffn;

type Libc = {
  mmap(address: bigint, length: bigint, access: number, flags: number, file: number, offset: bigint): bigint;
  munmap(address: bigint, length: bigint): number;
};

/** Undefined where this Node or system has none. Found on first use. */
let libc: { functions: Libc | undefined } | undefined;

/** Unmaps a file when nothing refers to its memory any more; earlier, a look-up in progress would end the process. */
const unmapper = new FinalizationRegistry(({ address, size }: { address: bigint; size: number }) => {
  libc?.functions?.munmap(address, BigInt(size));
});

/**
 * The content of an open file, which may be closed afterwards but must not shrink. Undefined where files cannot be mapped.
 */
export function mapFile(file: number, size: number): ArrayBuffer | undefined {
  libc ??= { functions: openLibc() };
  const { functions } = libc;
  if (!functions || size === 0) return undefined;
  const address = functions.mmap(0n, BigInt(size), readWrite, mapPrivate, file, 0n);
  if (address === failed) return undefined;
  const memory = process.getBuiltinModule('node:ffi').toArrayBuffer(address, size, false);
  unmapper.register(memory, { address, size });
  return memory;
}

function openLibc(): Libc | undefined {
  const { emitWarning } = process;
  // The module is experimental, which is no news to users: without it files are read.
  process.emitWarning = () => {};
  try {
    const { functions } = process.getBuiltinModule('node:ffi').dlopen(null, {
      mmap: { arguments: ['pointer', 'uint64', 'int32', 'int32', 'int32', 'int64'], return: 'pointer' },
      munmap: { arguments: ['pointer', 'uint64'], return: 'int32' },
    });
    return functions as Libc;
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
