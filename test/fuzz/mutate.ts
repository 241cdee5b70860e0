/** Inputs mutated from others, as libFuzzer does, from a seeded random number generator. */

type Bytes = Buffer<ArrayBuffer>;
/** Returns a number in [0, 1). */
export type Random = () => number;

const maxBytes = 16_384;
const numbers = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** A new input from one of a corpus, by one to a dozen changes. `words` are texts that the format has. */
export function mutate(corpus: readonly Buffer[], words: readonly string[], random: Random): Bytes {
  let bytes: Bytes = Buffer.from(pick(corpus, random));
  const changes = 1 << Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) bytes = changed(bytes, corpus, words, random);
  return bytes.subarray(0, maxBytes);
}

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)];

function changed(bytes: Bytes, corpus: readonly Buffer[], words: readonly string[], random: Random): Bytes {
  const upTo = (count: number) => Math.floor(random() * count);
  const at = upTo(bytes.length + 1);
  const length = 1 + upTo(Math.min(64, bytes.length));
  const insert = (piece: Uint8Array, left = at) => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(left)]);
  switch (upTo(9)) {
    case 0:
      if (at < bytes.length) bytes[at] ^= 1 << upTo(8);
      return bytes;
    case 1:
      if (at < bytes.length) bytes[at] = upTo(256);
      return bytes;
    case 2:
      return insert(Buffer.alloc(0), at + length);
    case 3:
      return insert(bytes.subarray(at, at + length));
    case 4:
      return insert(Buffer.alloc(length, upTo(256)));
    case 5: {
      const other = pick(corpus, random);
      const from = upTo(other.length);
      return insert(other.subarray(from, from + 1 + upTo(256)), random() < 0.5 ? at : at + length);
    }
    case 6: {
      const size = pick([1, 2, 4], random);
      if (at + size > bytes.length) return bytes;
      const number = pick(numbers, random) % 2 ** (8 * size);
      if (random() < 0.5) bytes.writeUIntLE(number, at, size);
      else bytes.writeUIntBE(number, at, size);
      return bytes;
    }
    case 7:
      // A number in digits becomes another.
      return Buffer.from(
        bytes.toString('latin1').replace(/\d+/g, (digits) => (upTo(8) === 0 ? `${pick(numbers, random)}` : digits)),
        'latin1',
      );
    default:
      return words.length === 0 ? bytes : insert(Buffer.from(pick(words, random)), random() < 0.5 ? at : at + length);
  }
}
