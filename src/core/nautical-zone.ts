/**
 * The nautical time zones of the open sea: 24 zones of 15° around the meridians 0°, ±15°, …, the one at ±180° in two
 * halves. IANA's names count hours west of Greenwich as positive (`Etc/GMT+5` is five hours behind).
 */

/** Zones at a longitude in [-180, 180], from east to west; two on a line between zones and at ±180°. */
export function nauticalZonesAt(lng: number): string[] {
  if (lng === 180 || lng === -180) return [nameOf(-12), nameOf(12)];
  const hours = lng / 15;
  const east = Math.floor(hours + 0.5);
  const west = Math.ceil(hours - 0.5);
  return east === west ? [nameOf(east)] : [nameOf(east), nameOf(west)];
}

function nameOf(hoursEast: number): string {
  if (hoursEast === 0) return 'Etc/GMT';
  return hoursEast > 0 ? `Etc/GMT-${hoursEast}` : `Etc/GMT+${-hoursEast}`;
}
