/**
 * Unpacks one raw LZ4 block, as OSM PBF blobs hold it (no frame). Format: github.com/lz4/lz4, doc/lz4_Block_format.md:
 * sequences of a token (4 bits literal length, 4 bits match length), literals, a 2-byte offset back, and a match of at
 * least 4 bytes. Throws RangeError when the block is broken or does not yield exactly `size` bytes.
 */
export function unpackLz4Block(packed: Uint8Array, size: number): Buffer {
  const out = Buffer.allocUnsafe(size);
  let from = 0;
  let to = 0;
  const longLength = (length: number): number => {
    if (length < 15) return length;
    for (let byte = 255; byte === 255; length += byte) {
      if (from >= packed.length) throw new RangeError('the LZ4 block ends inside a length');
      byte = packed[from++];
    }
    return length;
  };
  while (from < packed.length) {
    const token = packed[from++];
    const literals = longLength(token >> 4);
    if (from + literals > packed.length || to + literals > size) {
      throw new RangeError('an LZ4 literal extends beyond the end of its block');
    }
    out.set(packed.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence is literals only.
    if (from === packed.length) break;
    if (from + 2 > packed.length) throw new RangeError('the LZ4 block ends inside an offset');
    const offset = packed[from] | (packed[from + 1] << 8);
    from += 2;
    const match = longLength(token & 15) + 4;
    if (offset === 0 || offset > to || to + match > size) {
      throw new RangeError('an LZ4 match points outside its block');
    }
    // Byte by byte, because a match may overlap what it writes.
    for (const end = to + match; to < end; to++) out[to] = out[to - offset];
  }
  if (to !== size) throw new RangeError(`the LZ4 block has ${to} bytes, but declares ${size}`);
  return out;
}
