/** Ranges of two sources laid over each other, against the plainest possible look-up. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatIp } from '../../src/core/ip/address.ts';
import { layerBuilder, temporaryDirectory } from './small-ip.ts';

type Range = { start: bigint; end: bigint; number: number };
type Network = { start: bigint; length: number; country: string };

/** Few distinct words, so that ranges share heads and /64s; the ends of the word's range among them. */
const word = fc.constantFrom(0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff);
const address6 = fc
  .tuple(word, word, word, word)
  .map((words) => words.reduce((all, one) => (all << 32n) | BigInt(one), 0n));
const address4 = fc
  .oneof(
    fc.nat(0xffff_ffff),
    fc.constantFrom(0, 1, 0xffff, 0x1_0000, 0x1_0001, 0x8000_0000, 0xfffe_ffff, 0xffff_0000, 0xffff_ffff),
  )
  .map(BigInt);

/** Ranges in order, without overlaps, of which neighbours may have one operator. */
const rangesOf = (address: fc.Arbitrary<bigint>) =>
  fc
    .tuple(fc.uniqueArray(address, { maxLength: 60, size: 'max' }), fc.infiniteStream(fc.integer({ min: 1, max: 3 })))
    .map(([edges, numbers]): Range[] => {
      const sorted = edges.sort((a, b) => (a < b ? -1 : 1));
      return Array.from({ length: sorted.length >> 1 }, (_, at) => ({
        start: sorted[2 * at],
        end: sorted[2 * at + 1],
        number: numbers.next().value,
      }));
    });
const sizeOf = ({ length }: Pick<Network, 'length'>, bits: number) => 1n << BigInt(bits - length);

/** Networks none of which is in another one. */
const networksOf = (address: fc.Arbitrary<bigint>, bits: number) =>
  fc
    .array(fc.tuple(address, fc.integer({ min: 2, max: bits }), fc.constantFrom('DE', 'FR', 'US')), { maxLength: 30 })
    .map((drawn) => {
      const kept: Network[] = [];
      for (const [address, length, country] of drawn) {
        const size = sizeOf({ length }, bits);
        const start = (address / size) * size;
        const isFree = kept.every((each) => each.start + sizeOf(each, bits) <= start || start + size <= each.start);
        if (isFree) kept.push({ start, length, country });
      }
      return kept;
    });

const textOf = (address: bigint, bits: number) =>
  formatIp(Uint8Array.from({ length: bits / 8 }, (_, at) => Number((address >> BigInt(bits - 8 * (at + 1))) & 255n)));

for (const [name, bits, address] of [
  ['IPv4', 32, address4],
  // Addresses in ::/96 are IPv4's, and some others stand for them.
  ['IPv6', 128, address6.map((each) => each | (0x2a00n << 112n))],
] as const) {
  test(`${name}: operators laid over countries are found at every edge of theirs, and beside it`, async (t) => {
    const build = await layerBuilder(temporaryDirectory(t));
    await fc.assert(
      fc.asyncProperty(
        rangesOf(address),
        networksOf(address, bits),
        fc.array(address),
        async (ranges, networks, others) => {
          const lines = ranges.map(
            ({ start, end, number }) => `${textOf(start, bits)},${textOf(end, bits)},${number},Operator ${number}`,
          );
          const country = Object.fromEntries(
            networks.map(({ start, length, country }) => [
              `${textOf(start, bits)}/${length}`,
              { country_code: country },
            ]),
          );
          const find = await build({ country, [bits === 32 ? 'asn4' : 'asn6']: lines.join('\n') });
          const edges = [
            ...ranges.flatMap(({ start, end }) => [start - 1n, start, end, end + 1n]),
            ...networks.flatMap((network) => [
              network.start - 1n,
              network.start,
              network.start + sizeOf(network, bits),
            ]),
            ...others,
          ].filter((each) => each >= 0n && each < 1n << BigInt(bits));
          for (const at of edges) {
            const range = ranges.find(({ start, end }) => start <= at && at <= end);
            const network = networks.find((each) => each.start <= at && at < each.start + sizeOf(each, bits));
            const found = find(textOf(at, bits));
            assert.deepEqual(
              [found?.asn ?? null, found?.country ?? null],
              [range ? `AS${range.number}` : null, network?.country ?? null],
              textOf(at, bits),
            );
          }
        },
      ),
      { numRuns: 40 },
    );
  });
}

test('more operators than 16 bits can number stay distinct', async (t) => {
  const count = 70_000;
  const octets = (at: number) => `${1 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
  const lines = Array.from({ length: count }, (_, at) => `${octets(at)}.0,${octets(at)}.255,${at + 1},Operator`);
  const find = await (await layerBuilder(temporaryDirectory(t)))({ asn4: lines.join('\n') });
  for (const at of [0, 1, 65_534, 65_535, 65_536, 66_000, count - 1])
    assert.equal(find(`${octets(at)}.9`)?.asn, `AS${at + 1}`, octets(at));
});

test('neighbours of one operator are one range', async (t) => {
  const directory = temporaryDirectory(t);
  const build = await layerBuilder(directory);
  const bytes = async (...lines: string[]) => {
    await build({ asn4: lines.join('\n') });
    return statSync(join(directory, 'ip.pack')).size;
  };
  const one = await bytes('1.0.0.0,1.0.3.255,7,One');
  assert.equal(await bytes('1.0.0.0,1.0.1.255,7,One', '1.0.2.0,1.0.2.255,7,One', '1.0.3.0,1.0.3.255,7,One'), one);
});
