import type { LatLng } from '../core/geo.ts';
import type { Gazetteer } from '../store/gazetteer.ts';

const positions = new WeakMap<Gazetteer, Map<number, LatLng | undefined>>();

/**
 * The population-weighted centre of an area's largest places, on the sphere; undefined for an area without places. Computed
 * on first use.
 */
export function areaPosition(gazetteer: Gazetteer, area: number): LatLng | undefined {
  let known = positions.get(gazetteer);
  if (known === undefined) positions.set(gazetteer, (known = new Map()));
  if (!known.has(area)) known.set(area, centre(gazetteer, area));
  return known.get(area);
}

function centre({ placesOfArea, facts }: Gazetteer, area: number): LatLng | undefined {
  let [x, y, z] = [0, 0, 0];
  for (const place of placesOfArea(area)) {
    const lat = (facts.lat(place) / 1e6) * (Math.PI / 180);
    const lng = (facts.lng(place) / 1e6) * (Math.PI / 180);
    const people = facts.population(place) + 1;
    x += people * Math.cos(lat) * Math.cos(lng);
    y += people * Math.cos(lat) * Math.sin(lng);
    z += people * Math.sin(lat);
  }
  if (x === 0 && y === 0 && z === 0) return undefined;
  return { lat: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI, lng: (Math.atan2(y, x) * 180) / Math.PI };
}
