/** Points of interest as live data: a document each. */
import { poiCategories } from '../../../src/core/poi-category.ts';
import type { SourceInfo } from '../../../src/store/manifest-format.ts';
import { searchTerms } from '../../../src/text/words.ts';
import { numberOf, poiName } from './documents.ts';
import { type LiveIndex, partOf } from './live-index.ts';
import type { LivePoi } from './live-record.ts';
import { poiDocumentOf } from './write-documents.ts';

/** Adds or changes a point; returns the name of its document. */
export async function putPoi(index: LiveIndex, poi: LivePoi, source: SourceInfo): Promise<string> {
  await index.credit(source, ['pois']);
  const known = await nameOf(index, poi);
  const name = known ?? (await newPoiName(index));
  const document = documentOf(poi, name, source.id);
  if (known === undefined) {
    await index.create(name, document);
    await index.refresh();
    // Another program may have added it too: the first one remains.
    const first = await nameOf(index, poi);
    if (first !== undefined && first !== name) {
      await index.delete(name);
      return putPoi(index, poi, source);
    }
  } else await index.replace(await index.document(known), document);
  await index.addWords(`p${partOf(name)}`, searchTerms(poi.name));
  return name;
}

/** The document of a point; undefined where the index has none. */
async function nameOf(index: LiveIndex, { id }: LivePoi): Promise<string | undefined> {
  return (await index.ofSource(id)).find(({ _id }) => _id.startsWith('p'))?._id;
}

function documentOf({ id, name, category, cuisine, lat, lng }: LivePoi, document: string, src: string) {
  const [y, x] = [Math.round(lat * 1e7), Math.round(lng * 1e7)];
  const facts = { category: poiCategories.indexOf(category), lat: y, lng: x, cuisine: cuisine ?? null, source: 0 };
  const origin = { object: null, tag: null };
  return poiDocumentOf(
    partOf(document),
    { id: numberOf(document), name, others: '', ...facts, ...origin },
    { ids: id, src },
  );
}

async function newPoiName(index: LiveIndex): Promise<string> {
  const part = index.partWith('pois');
  return poiName(part, (await index.lastNumber('p', part)) + 1);
}
