"""Judges outlines with shapely: reads lines of a key, a tolerance and a MultiPolygon in GeoJSON, prints what is wrong with each."""

import sys

from shapely import from_geojson, is_valid_reason

for line in sys.stdin:
    key, tolerance, shape = line.split(" ", 2)
    area = from_geojson(shape)
    if area.is_empty or not area.is_valid:
        print(key, tolerance, "empty" if area.is_empty else is_valid_reason(area))
    if any(not part.exterior.is_ccw or any(hole.is_ccw for hole in part.interiors) for part in area.geoms):
        print(key, tolerance, "a ring runs the wrong way")
