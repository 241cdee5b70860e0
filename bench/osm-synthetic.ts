/**
 * A made-up OpenStreetMap file of any size, with the shapes of a real one: towns whose borders share ways, states and
 * countries out of the same ways, streets, buildings, houses, points of interest, interpolations, multipolygons:
 *   node bench/osm-synthetic.ts 20000 | osmium cat -F opl -o made-up.osm.pbf -
 * A town has 2,250 nodes, 467 ways and 7 relations; 2,000 towns make a PBF of some 45 MB. Towns follow each other in
 * the file in no order of place, as edits of all the world do.
 */
import { once } from 'node:events';

const towns = Number(process.argv[2]);
if (!(towns >= 1)) {
  console.error('usage: node bench/osm-synthetic.ts TOWNS | osmium cat -F opl -o FILE.osm.pbf -');
  process.exit(2);
}
const side = Math.ceil(Math.sqrt(towns));
/** Degrees of latitude and longitude of a town; large files fill Europe. */
const height = Math.min(0.12, 25 / side);
const width = Math.min(0.18, 40 / side);
const innerNodes = 60;
const streets = 30;
const streetNodes = 8;
const buildings = 400;
const houses = 250;
const nodesOfTown = streets * streetNodes + 4 * buildings + houses + 12;
const waysOfTown = streets + buildings + 3;
const blockOfState = 12;
const blockOfCountry = 36;

let waiting: string[] = [];
async function line(text: string): Promise<void> {
  waiting.push(text);
  if (waiting.length < 4000) return;
  const isRoom = process.stdout.write(`${waiting.join('\n')}\n`);
  waiting = [];
  if (!isRoom) await once(process.stdout, 'drain');
}

const noise = (seed: number) => {
  const value = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return ((Math.imul(value ^ (value >>> 12), 0x297a2d39) >>> 0) % 10_007) / 10_007;
};
/** Surveyed positions are never regular, and regular ones would be packed to almost nothing. */
const node = (id: number, y: number, x: number, tags = '') =>
  line(
    `n${id} v1 T${tags} x${(-10 + (x + 0.002 * noise(id)) * width).toFixed(7)} y${(35 + (y + 0.002 * noise(~id)) * height).toFixed(7)}`,
  );

// Ids: corners of towns, then the nodes of edges (edge = way), then those of the towns.
const corners = (side + 1) ** 2;
const corner = (row: number, column: number) => 1 + row * (side + 1) + column;
/** Way from a corner to the east (0) or the north (1). */
const edge = (row: number, column: number, north: 0 | 1) => 1 + 2 * (row * (side + 1) + column) + north;
const edges = 2 * corners;
const townNode = (slot: number, at: number) => 1 + corners + edges * innerNodes + slot * nodesOfTown + at;
const townWay = (slot: number, at: number) => 1 + edges + slot * waysOfTown + at;
/** Towns are spread over the grid by steps of a prime, so that each has its own cell. */
const cellOf = (slot: number) => (slot * 7919) % (side * side);
const name = (slot: number) => `Town${slot.toString(36)}`;
const streetName = (slot: number, at: number) =>
  at < 6 ? `Main${at}%20%Street` : `Road%20%${Math.floor(noise(slot * 31 + at) * 50_000).toString(36)}`;

async function nodes(): Promise<void> {
  for (let row = 0; row <= side; row++)
    for (let column = 0; column <= side; column++) await node(corner(row, column), row, column);
  for (let row = 0; row <= side; row++) {
    for (let column = 0; column <= side; column++) {
      for (const north of [0, 1] as const) {
        const way = edge(row, column, north);
        for (let at = 0; at < innerNodes; at++) {
          const along = (at + 1) / (innerNodes + 1);
          const aside = 0.02 * (noise(way * 64 + at) - 0.5);
          const id = 1 + corners + (way - 1) * innerNodes + at;
          await node(id, row + (north ? along : aside), column + (north ? aside : along));
        }
      }
    }
  }
  for (let slot = 0; slot < towns; slot++) {
    const cell = cellOf(slot);
    const [row, column] = [Math.floor(cell / side), cell % side];
    const at = (y: number, x: number) => [row + 0.05 + 0.9 * y, column + 0.05 + 0.9 * x] as const;
    let next = 0;
    const city = `addr:city=${name(slot)}`;
    for (let street = 0; street < streets; street++)
      for (let step = 0; step < streetNodes; step++)
        await node(townNode(slot, next++), ...at((street + 0.5) / streets, step / streetNodes));
    for (let building = 0; building < buildings; building++) {
      const [y, x] = [(building % 20) / 20, Math.floor(building / 20) / 20];
      for (const [dy, dx] of [
        [0, 0],
        [0, 0.01],
        [0.01, 0.01],
        [0.01, 0],
      ])
        await node(townNode(slot, next++), ...at(y + dy + 0.02, x + dx + 0.02));
    }
    for (let house = 0; house < houses; house++) {
      const street = house % streets;
      const number = `addr:housenumber=${1 + Math.floor(house / streets)},addr:street=${streetName(slot, street)}`;
      const more = house % 3 === 0 ? `,${city},addr:postcode=${10_000 + (slot % 80_000)}` : '';
      await node(townNode(slot, next++), ...at((street + 0.4) / streets, house / houses), number + more);
    }
    for (let poi = 0; poi < 11; poi++)
      await node(
        townNode(slot, next++),
        ...at(0.5, poi / 11),
        `amenity=restaurant,name=Inn%20%${poi},cuisine=regional`,
      );
    const kind = slot % 50 === 0 ? 'city' : slot % 5 === 0 ? 'town' : 'village';
    await node(townNode(slot, next++), ...at(0.5, 0.5), `place=${kind},name=${name(slot)},population=1000`);
  }
}

const nodeList = (ids: number[]) => `N${ids.map((id) => `n${id}`).join(',')}`;

async function ways(): Promise<void> {
  for (let row = 0; row <= side; row++) {
    for (let column = 0; column <= side; column++) {
      for (const north of [0, 1] as const) {
        const id = edge(row, column, north);
        const end = north ? [row + 1, column] : [row, column + 1];
        const isInside = end[0] <= side && end[1] <= side;
        const inner = Array.from({ length: innerNodes }, (_, at) => 1 + corners + (id - 1) * innerNodes + at);
        const last = isInside ? [corner(end[0], end[1])] : [];
        await line(`w${id} v1 Tboundary=administrative ${nodeList([corner(row, column), ...inner, ...last])}`);
      }
    }
  }
  for (let slot = 0; slot < towns; slot++) {
    let next = 0;
    for (let street = 0; street < streets; street++) {
      const ids = Array.from({ length: streetNodes }, (_, at) => townNode(slot, street * streetNodes + at));
      const tags = `highway=residential,name=${streetName(slot, street)},surface=asphalt`;
      await line(`w${townWay(slot, next++)} v1 T${tags} ${nodeList(ids)}`);
    }
    for (let building = 0; building < buildings; building++) {
      const first = townNode(slot, streets * streetNodes + 4 * building);
      const number = `,addr:housenumber=${20 + Math.floor(building / streets)},addr:street=${streetName(slot, building % streets)}`;
      const tags = `building=yes${building % 2 ? number : ''}`;
      await line(`w${townWay(slot, next++)} v1 T${tags} ${nodeList([0, 1, 2, 3, 0].map((at) => first + at))}`);
    }
    const house = (at: number) => townNode(slot, streets * streetNodes + 4 * buildings + at);
    for (let stretch = 0; stretch < 3; stretch++)
      await line(
        `w${townWay(slot, next++)} v1 Taddr:interpolation=all ${nodeList([house(stretch), house(stretch + streets * 5)])}`,
      );
  }
}

const relation = (id: number, tags: string, members: string[]) => line(`r${id} v1 T${tags} M${members.join(',')}`);
const outline = (row: number, column: number, size: number) => {
  const [top, right] = [Math.min(side, row + size), Math.min(side, column + size)];
  const members: string[] = [];
  for (let x = column; x < right; x++) members.push(`w${edge(row, x, 0)}@outer`, `w${edge(top, x, 0)}@outer`);
  for (let y = row; y < top; y++) members.push(`w${edge(y, column, 1)}@outer`, `w${edge(y, right, 1)}@outer`);
  return members;
};

async function relations(): Promise<void> {
  let id = 1;
  const border = (level: number, title: string) =>
    `type=boundary,boundary=administrative,admin_level=${level},name=${title}`;
  for (const [level, size] of [
    [2, blockOfCountry],
    [4, blockOfState],
  ]) {
    for (let row = 0; row < side; row += size) {
      for (let column = 0; column < side; column += size) {
        const code = String.fromCharCode(65 + ((row / size) % 26), 65 + ((column / size) % 26));
        const tags = `${border(level, `Land${level}%20%${row}%20%${column}`)}${level === 2 ? `,ISO3166-1:alpha2=${code}` : ''}`;
        await relation(id++, tags, outline(row, column, size));
      }
    }
  }
  for (let slot = 0; slot < towns; slot++) {
    const cell = cellOf(slot);
    await relation(id++, border(8, name(slot)), outline(Math.floor(cell / side), cell % side, 1));
    const building = (at: number) => `w${townWay(slot, streets + at)}`;
    for (let area = 0; area < 5; area++) {
      const tags = `type=multipolygon,building=yes,addr:housenumber=${90 + area},addr:street=${streetName(slot, area)}`;
      await relation(id++, tags, [`${building(4 * area)}@outer`, `${building(4 * area + 2)}@outer`]);
    }
    const members = Array.from({ length: 12 }, (_, at) => `${building(2 * at)}@house`);
    await relation(id++, `type=associatedStreet,name=${streetName(slot, 7)}`, members);
  }
}

await nodes();
await ways();
await relations();
if (waiting.length > 0) process.stdout.write(`${waiting.join('\n')}\n`);
