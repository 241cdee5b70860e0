/** An operator's corrections of places and features: other names, another main name or position. */
import type { GeonamesPlace } from '../../../sources/geonames.ts';
import type { LandmarkRow } from '../../../sources/landmarks.ts';
import type { RankedFeature } from './features.ts';

/** Rows by the identifier of the record that each corrects. */
export type Corrections = ReadonlyMap<number, LandmarkRow>;

/** The place as its correction has it; its former name stays one of its names. */
export function correctedPlace(place: GeonamesPlace, corrections: Corrections): GeonamesPlace {
  const row = corrections.get(place.id);
  if (!row) return place;
  const { name = place.name, lat = place.lat, lng = place.lng, namesIn, knownNames } = row;
  const isRenamed = name !== place.name;
  return {
    ...place,
    name,
    asciiName: isRenamed ? name : place.asciiName,
    alternateNames: isRenamed ? [...place.alternateNames, place.name] : place.alternateNames,
    atlasNames: [...(place.atlasNames ?? []), ...knownNames, ...Object.values(namesIn)],
    lat,
    lng,
  };
}

/** The same of a feature, whose names by language are its own. */
export function correctedFeature(feature: RankedFeature, corrections: Corrections): RankedFeature {
  const row = corrections.get(feature.id);
  if (!row) return feature;
  const { name = feature.name, lat = feature.lat, lng = feature.lng, bbox = feature.bbox } = row;
  const formerName = name === feature.name ? [] : [feature.name];
  return {
    ...feature,
    name,
    lat,
    lng,
    bbox,
    knownNames: [...feature.knownNames, ...row.knownNames, ...formerName],
    namesIn: { ...feature.namesIn, ...row.namesIn },
  };
}
