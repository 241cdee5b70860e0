/** Photon's filters by kind: `osm_tag`, and `include` and `exclude`, whose categories are `osm.key.value`. */
import { invalidParameter } from '../../errors.ts';

/** Whether a kind, as OpenStreetMap's key and value, passes. */
type KindFilter = (key: string, value: string) => boolean;

/** All filters of a request together. Throws for a category without a value. */
export function kindFilter(query: URLSearchParams): KindFilter {
  const tags = query.getAll('osm_tag').map(tagFilter);
  const wanted = tags.filter(({ isExcluded }) => !isExcluded);
  const unwanted = tags.filter(({ isExcluded }) => isExcluded);
  const categories = (name: string) => query.getAll(name).map((list) => list.split(',').map(categoryOf));
  const included = categories('include');
  const excluded = categories('exclude');
  return (key, value) =>
    (wanted.length === 0 || wanted.some((tag) => matchesTag(tag, key, value))) &&
    !unwanted.some((tag) => matchesTag(tag, key, value)) &&
    included.every((any) => any.some((category) => matchesCategory(category, key, value))) &&
    !excluded.some((all) => all.every((category) => matchesCategory(category, key, value)));
}

type TagFilter = { isExcluded: boolean; key?: string; value?: string; isValueExcluded: boolean };

/** `place:city`, `place`, `:city`, and with `!` what is to be left out: `!place`, `place:!city`, `!place:city`. */
function tagFilter(text: string): TagFilter {
  const isExcluded = text.startsWith('!');
  const [key, value = '', ...more] = (isExcluded ? text.slice(1) : text).split(':');
  if (more.length > 0) throw invalidParameter('osm_tag', `'${text.slice(0, 60)}' is not a tag; expected key:value`);
  const isValueExcluded = value.startsWith('!');
  const bare = isValueExcluded ? value.slice(1) : value;
  return { isExcluded, ...(key ? { key } : {}), ...(bare ? { value: bare } : {}), isValueExcluded };
}

function matchesTag(filter: TagFilter, key: string, value: string): boolean {
  const isValue = filter.value === undefined || (filter.value === value) !== filter.isValueExcluded;
  return (filter.key === undefined || filter.key === key) && isValue;
}

function categoryOf(text: string): string[] {
  const labels = text.trim().split('.');
  if (labels.length < 2 || labels.length > 4 || labels.some((label) => !/^[\w-]+$/.test(label))) {
    throw invalidParameter(
      'include',
      `'${text.slice(0, 60)}' is not a category; expected a group and labels: osm.place.city`,
    );
  }
  return labels;
}

/** Records have one category, of the group `osm`. */
const matchesCategory = (labels: readonly string[], key: string, value: string): boolean =>
  labels.every((label, at) => label === ['osm', key, value][at]);
