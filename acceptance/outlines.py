"""Judges outlines with shapely: reads lines of JSON [key, tolerance, coordinates], prints what is wrong with each."""

import json
import sys

from shapely import is_valid_reason
from shapely.geometry import MultiPolygon, Polygon

for line in sys.stdin:
    key, tolerance, polygons = json.loads(line)
    area = MultiPolygon([Polygon(outer, holes) for outer, *holes in polygons])
    if area.is_empty or not area.is_valid:
        print(key, tolerance, "empty" if area.is_empty else is_valid_reason(area))
    if any(not part.exterior.is_ccw or any(hole.is_ccw for hole in part.interiors) for part in area.geoms):
        print(key, tolerance, "a ring runs the wrong way")
