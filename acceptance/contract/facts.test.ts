/** Section 5 of the contract about facts: /ip, /timezone, /sun and /distance. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Parameters } from './questions.ts';
import { profiles, type Served, serve, skip } from './served.ts';

suite('facts', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve({ trustedProxies: ['127.0.0.1'] });
  });
  after(() => served.close());

  test('/ip answers for IPv4, IPv6 and IPv4-mapped; the time is local, YYYY-MM-DD HH:MM:SS', async () => {
    const direct = await served.get('/ip', { ip: '8.8.8.8' });
    assert.deepEqual([direct.ip, direct.country, direct.is_eu, direct.asn], ['8.8.8.8', 'US', false, 'AS15169']);
    assert.match(direct.current_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const mapped = await served.get('/ip', { ip: '::FFFF:8.8.8.8' });
    assert.deepEqual({ ...mapped, query_ms: 0, current_time: '' }, { ...direct, query_ms: 0, current_time: '' });
    assert.equal((await served.get('/ip', { ip: '2001:4860:4860:0:0:0:0:8888' })).ip, '2001:4860:4860::8888');
    served.clock.now = Date.UTC(2026, 0, 15, 12);
    assert.equal((await served.get('/ip', { ip: '91.64.0.1' })).current_time, '2026-01-15 13:00:00');
    served.clock.now = undefined;
  });

  test('/ip refuses what is not an address, and names the kind of one that is in no database', async () => {
    for (const ip of ['8.8.8', '08.8.8.8', '8.8.8.8/32', '[::1]', '1.2.3.4.5', 'example.org', '256.1.1.1', '']) {
      assert.equal((await served.problem('/ip', { ip })).said, '400 invalid_parameter ip', ip);
    }
    const kinds: Record<string, RegExp> = {
      '10.0.0.1': /private/,
      '192.168.1.1': /private/,
      '127.0.0.1': /loopback/,
      '::1': /loopback/,
      '169.254.1.1': /link-local/,
      '224.0.0.1': /multicast/,
      '240.0.0.1': /reserved/,
      '198.51.100.1': /documentation/,
      '100.64.0.1': /CGNAT/,
      'fc00::1': /private/,
      '::ffff:10.0.0.1': /private/,
    };
    for (const [ip, kind] of Object.entries(kinds)) {
      const { said, detail } = await served.problem('/ip', { ip });
      assert.equal(said, '404 ip_not_found');
      assert.match(detail, kind, ip);
    }
  });

  test("/ip without ip is the caller's: the last hop of X-Forwarded-For that no trusted proxy is", async () => {
    const forwardedFor = (hops: string) => ({ headers: { 'x-forwarded-for': hops } });
    assert.equal((await served.get('/ip', {}, forwardedFor('1.1.1.1, 8.8.8.8'))).ip, '8.8.8.8');
    assert.equal((await served.get('/ip', {}, forwardedFor('8.8.8.8, 127.0.0.1'))).ip, '8.8.8.8');
    assert.match((await served.problem('/ip', {})).detail, /127\.0\.0\.1 .*loopback/);
    const untrusting = await serve();
    const { body } = await untrusting.ask('/v1/ip', {}, forwardedFor('8.8.8.8'));
    await untrusting.close();
    assert.match(body.detail, /^127\.0\.0\.1 /, 'a peer that is not trusted says nothing of others');
  });

  test('/timezone answers on land, at sea, at the poles and for a zone by name', async () => {
    const expected: [lat: number, lng: number, zone: string][] = [
      [52.52, 13.4, 'Europe/Berlin'],
      [27.7, 85.3, 'Asia/Kathmandu'],
      [-44, -176.5, 'Pacific/Chatham'],
      [0, 0, 'Etc/GMT'],
      [0, -150, 'Etc/GMT+10'],
      [-90, 0, 'Antarctica/McMurdo'],
    ];
    for (const [lat, lng, zone] of expected) {
      for (const profile of profiles)
        assert.equal((await served.get('/timezone', { lat, lng }, { profile })).timezone, zone);
    }
    for (const [lat, lng] of [
      [90, 0],
      [-90, 180],
      [0, 180],
      [0, -180],
      [45, -179.999999],
    ]) {
      assert.match((await served.get('/timezone', { lat, lng })).timezone, /^\w+\/[\w/+-]+$/);
    }
    assert.equal((await served.get('/timezone', { timezone: 'europe/BERLIN' })).timezone, 'Europe/Berlin');
  });

  test('/timezone at a moment: ISO 8601 or epoch seconds; +HH:MM, summer time, the next change', async () => {
    for (const at of ['2026-07-01T12:00:00Z', '1782907200', '2026-07-01T14:00:00+02:00', '2026-07-01T14:00:00']) {
      const { query_ms: _, ...answer } = await served.get('/timezone', { timezone: 'Europe/Berlin', at });
      assert.deepEqual(answer, {
        timezone: 'Europe/Berlin',
        utc_offset: '+02:00',
        is_dst: true,
        local_time: '2026-07-01T14:00:00+02:00',
        abbreviation: 'CEST',
        next_transition: {
          at: '2026-10-25T01:00:00Z',
          local_time: '2026-10-25T02:00:00+01:00',
          utc_offset_before: '+02:00',
          utc_offset_after: '+01:00',
          is_dst_after: false,
        },
      });
    }
    const winter = await served.get('/timezone', { timezone: 'America/St_Johns', at: 0 });
    assert.deepEqual(
      [winter.utc_offset, winter.is_dst, winter.local_time],
      ['-03:30', false, '1969-12-31T20:30:00-03:30'],
    );
    for (const at of ['yesterday', '2026-13-01T00:00:00Z', '1e9', '99999999999', '']) {
      assert.equal((await served.problem('/timezone', { timezone: 'UTC', at })).said, '400 invalid_parameter at', at);
    }
    assert.equal((await served.problem('/timezone', { timezone: 'Mars/Base' })).said, '400 invalid_parameter timezone');
    assert.equal((await served.problem('/timezone', {})).said, '400 missing_parameter lat,lng,timezone');
  });

  test('/sun agrees with the Naval Observatory to 30 s, in all profiles', async () => {
    // aa.usno.navy.mil for 52.52 N 13.41 E on 2026-06-21 in UTC+2: to the minute, so 30 s more of tolerance.
    const seconds = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    const query = { lat: 52.52, lng: 13.41, date: '2026-06-21' };
    for (const profile of profiles) {
      const { sunrise, sunset } = await served.get('/sun', query, { profile });
      assert.match(sunrise, /^\d\d:\d\d:\d\d$/);
      assert.ok(Math.abs(seconds(sunrise) - seconds('04:43:00')) <= 60, sunrise);
      assert.ok(Math.abs(seconds(sunset) - seconds('21:33:00')) <= 60, sunset);
    }
    const { sunrise, sunrise_12h, sunset_12h, day_length } = await served.get('/sun', query);
    assert.equal(sunrise_12h, `${sunrise.slice(0, 5)} AM`);
    assert.match(sunset_12h, /^09:3\d PM$/);
    assert.match(day_length, /^16h \d\dm$/);
    assert.match((await served.get('/sun', query, { profile: 'b' })).day_length, /^16:\d\d:\d\d$/);
    // Civil twilight and noon of Longyearbyen, also by the Naval Observatory, in UTC.
    const spring = { lat: 78.22334, lng: 15.64689, date: '2026-03-20', timezone: 'UTC' };
    const { dawn, dusk, solar_noon } = await served.get('/sun', spring);
    for (const [got, expected] of [
      [dawn, '03:06:00'],
      [dusk, '19:10:00'],
      [solar_noon, '11:05:00'],
    ])
      assert.ok(Math.abs(seconds(got) - seconds(expected)) <= 60, `${got}, expected ${expected}`);
  });

  test('/sun without rise or set: nulls, the whole day or none of it, and its status', async () => {
    const queryOn = (date: string) => ({ lat: 78.22, lng: 15.65, date });
    const summer = await served.get('/sun', queryOn('2026-06-21'));
    assert.deepEqual([summer.sunrise, summer.sunset, summer.sunrise_12h, summer.sunset_12h], [null, null, null, null]);
    assert.deepEqual([summer.day_length, summer.sun_status], ['24h 0m', 'midnight_sun']);
    const winter = await served.get('/sun', queryOn('2026-12-21'));
    assert.deepEqual([winter.sunrise, winter.day_length, winter.sun_status], [null, '0h 0m', 'polar_night']);
    assert.equal((await served.get('/sun', queryOn('2026-06-21'), { profile: 'b' })).day_length, '24:00:00');
    assert.equal((await served.get('/sun', queryOn('2026-12-21'), { profile: 'b' })).day_length, '00:00:00');
    assert.equal((await served.get('/sun', queryOn('2026-12-21'), { profile: 'a' })).day_length, '0h 0m');
  });

  test('/sun takes coordinates or a city, the local date today, and another zone for its times', async () => {
    served.clock.now = Date.UTC(2026, 5, 21, 23);
    assert.equal((await served.get('/sun', { city: 'Tokyo' })).date, '2026-06-22');
    assert.equal((await served.get('/sun', { city: 'Los Angeles' })).date, '2026-06-21');
    served.clock.now = undefined;
    const date = '2026-06-21';
    const paris = await served.get('/sun', { city: 'Paris', country: 'us', date });
    assert.equal(paris.timezone, 'America/Chicago');
    assert.equal((await served.get('/sun', { city: 'Paris', date })).timezone, 'Europe/Paris');
    const utc = await served.get('/sun', { city: 'Paris', country: 'US', date, timezone: 'utc' });
    assert.deepEqual([utc.timezone, utc.date, utc.day_length], ['UTC', date, paris.day_length]);
    assert.equal(Number(utc.sunrise.slice(0, 2)), Number(paris.sunrise.slice(0, 2)) + 5);
    for (const [text, said] of [
      [{}, '400 missing_parameter lat,lng,city'],
      [{ lat: 1 }, '400 missing_parameter lng'],
      [{ city: 'Oslo', lat: 1, lng: 1 }, '400 invalid_parameter city'],
      [{ city: 'Nowhereville' }, '404 place_not_found city'],
      [{ lat: 1, lng: 1, date: '2026-02-30' }, '400 invalid_parameter date'],
      [{ lat: 1, lng: 1, date: '2026-2-3' }, '400 invalid_parameter date'],
      [{ lat: 1, lng: 1, date: '1899-12-31' }, '400 invalid_parameter date'],
      [{ lat: 1, lng: 1, timezone: 'Mars/Base' }, '400 invalid_parameter timezone'],
    ] as [Parameters, string][]) {
      assert.equal((await served.problem('/sun', text)).said, said, JSON.stringify(text));
    }
    for (const query of [{ city: 'Oslo' }, { city: 'Oslo', country: 'NO' }] as Parameters[]) {
      assert.equal((await served.problem('/sun', query, { profile: 'b' })).said, '400 missing_parameter lat,lng');
    }
  });

  test('/distance is the great circle on 6371.0088 km, its bearing in 0–360, from cities, coordinates or both', async () => {
    const degree = await served.get('/distance', { from_lat: 0, from_lng: 0, to_lat: 0, to_lng: 1 });
    assert.equal(degree.distance_km, Math.round((6371.0088 * Math.PI * 1000) / 180) / 1000);
    assert.equal(degree.distance_miles, 69.093);
    assert.deepEqual(
      [degree.bearing, degree.from, degree.to],
      [90, { name: null, country: null }, { name: null, country: null }],
    );
    const west = await served.get('/distance', { from_lat: 0, from_lng: 179.5, to_lat: 0, to_lng: -179.5 });
    assert.deepEqual([west.distance_km, west.bearing], [degree.distance_km, 90]);
    const cities = await served.get('/distance', { from_city: 'Berlin', to_city: 'Paris', unit: 'miles' });
    assert.deepEqual(
      [cities.from, cities.to],
      [
        { name: 'Berlin', country: 'DE' },
        { name: 'Paris', country: 'FR' },
      ],
    );
    assert.deepEqual([cities.distance, cities.unit], [cities.distance_miles, 'miles']);
    const mixed = await served.get('/distance', { from_city: 'Berlin', to_lat: 48.85341, to_lng: 2.3488 });
    assert.deepEqual([mixed.distance_km, mixed.to.name], [cities.distance_km, 'Paris']);
    // Points are named by the nearest place, if one lies within 100 km.
    for (const lng of [7.4, 7.6, 8, 8.3, 8.5, 9]) {
      const [near] = (await served.get('/nearby', { lat: 0, lng, radius: 100, limit: 1 })).results;
      const { from } = await served.get('/distance', { from_lat: 0, from_lng: lng, to_city: 'Berlin' });
      assert.deepEqual(from, near ? { name: near.name, country: near.country } : { name: null, country: null });
    }
    assert.equal(
      (await served.get('/distance', { from_city: 'Paris', from_country: 'us', to_city: 'Berlin' })).from.country,
      'US',
    );
    assert.deepEqual([cities.distance_km, cities.distance_mi], [878.399, cities.distance_miles]);
    assert.equal(
      (await served.problem('/distance', { from_city: 'Berlin' })).said,
      '400 missing_parameter to_lat,to_lng,to_city',
    );
    assert.equal(
      (await served.problem('/distance', { from_city: 'Berlin', to_city: 'Nowhereville' })).said,
      '404 place_not_found to_city',
    );
    assert.equal(
      (await served.problem('/distance', { from_city: 'Berlin', to_city: 'Paris', unit: 'mi' })).said,
      '400 invalid_parameter unit',
    );
  });
});
