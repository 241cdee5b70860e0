"""Judges clocks with Python's tzdata: reads lines of JSON [zone, [[seconds, offset, abbreviation], …]], prints those that differ."""

import json
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone

# The package's database, not the system's.
zoneinfo.reset_tzpath([])
epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)

for line in sys.stdin:
    name, readings = json.loads(line)
    zone = zoneinfo.ZoneInfo(name)
    for seconds, offset, abbreviation in readings:
        moment = (epoch + timedelta(seconds=seconds)).astimezone(zone)
        if [moment.utcoffset() / timedelta(seconds=1), moment.tzname()] != [offset, abbreviation]:
            print(name, moment.isoformat(), moment.tzname(), "here", offset, abbreviation)
            break
