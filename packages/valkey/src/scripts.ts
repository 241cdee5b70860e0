/** Lua scripts that run atomically on the Valkey or Redis server. */
import { exactBelow, keptDays, largestLease, largestPart, leasePart } from '../../../src/keys/engine.ts';

/**
 * Takes a process's report of a key's day and leases calls to it; see `leaseOf` for how many. The day's hash holds the
 * sums `calls`, `held` and `requests`, and the same of each process, so that a report may come twice or not at all.
 * KEYS: hash of the day, hash of calls by day, hash of the day's calls by endpoint. ARGV: holder, spent, held, requests,
 * wanted, limit, day, sums by endpoint as JSON or nothing, seconds until the day's hash may go, and its calls by endpoint.
 * Returns granted calls, calls of the day, requests of the others, and the level of the quota when it was reached just now.
 */
export const exchangeScript = `
local day, holder = KEYS[1], ARGV[1]
local spent, held, requests = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local wanted, limit = tonumber(ARGV[5]), tonumber(ARGV[6])
local before = redis.call('HMGET', day, 'calls', 'held', 'requests', holder .. ':s', holder .. ':h', holder .. ':r')
for i = 1, 6 do before[i] = tonumber(before[i] or '0') end
local calls = before[1] + spent - before[4]
local allHeld = before[2] + held - before[5]
local allRequests = before[3] + requests - before[6]
local free, granted = limit - calls - allHeld, 0
if wanted > 0 and free > 0 then
  local most = math.max(${largestLease}, math.floor(limit / ${largestPart}))
  local block = math.min(most, math.floor((free - ${exactBelow}) / ${leasePart}))
  granted = math.min(free, math.max(wanted, block))
end
redis.call('HSET', day, 'calls', string.format('%.0f', calls), 'held', string.format('%.0f', allHeld + granted),
  'requests', string.format('%.0f', allRequests), holder .. ':s', ARGV[2],
  holder .. ':h', string.format('%.0f', held + granted), holder .. ':r', ARGV[4])
redis.call('HSET', KEYS[2], ARGV[7], string.format('%.0f', calls))
redis.call('HDEL', KEYS[2], string.format('%.0f', tonumber(ARGV[7]) - ${keptDays}))
if ARGV[8] ~= '' then
  local reported = cjson.decode(redis.call('HGET', day, holder .. ':e') or '{}')
  for endpoint, spentThere in pairs(cjson.decode(ARGV[8])) do
    local more = spentThere - (reported[endpoint] or 0)
    if more ~= 0 then redis.call('HINCRBY', KEYS[3], endpoint, string.format('%.0f', more)) end
  end
  redis.call('HSET', day, holder .. ':e', ARGV[8])
  redis.call('EXPIRE', KEYS[3], ARGV[10])
end
local level, reached = 0, 0
if calls >= limit then level = 100 elseif calls * 5 >= limit * 4 then level = 80 end
if level > tonumber(redis.call('HGET', day, 'told') or '0') then
  redis.call('HSET', day, 'told', level)
  reached = level
end
redis.call('EXPIRE', day, ARGV[9])
return {granted, calls, allRequests - requests, reached}
`;

/**
 * Replaces a key if it is unchanged. KEYS: the key. ARGV: both as JSON, which is not decoded: the server's decoder
 * refuses some that is valid. Returns 1, or 0.
 */
export const replaceScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
`;

/**
 * Counts a try to sign up for each of its subjects, or for none when one has had its share. KEYS: a sorted set of tries
 * for each subject, by time. ARGV: now (epoch ms), how long a try counts (ms), a name for the try, then the most tries
 * of each subject. Returns 0, or the seconds until another try. Tries of a clock that was ahead for a moment count no longer than
 * that; they and those before stay, ten times as many as may be, so that no clock makes others forget.
 */
export const admitScript = `
local now, counted = tonumber(ARGV[1]), tonumber(ARGV[2])
local since, ends = string.format('(%.0f', now - counted), string.format('%.0f', now + counted)
for i, tries in ipairs(KEYS) do
  if redis.call('ZCOUNT', tries, since, ends) >= tonumber(ARGV[3 + i]) then
    local first = tonumber(redis.call('ZRANGEBYSCORE', tries, since, ends, 'WITHSCORES', 'LIMIT', 0, 1)[2])
    return math.max(1, math.ceil((first + counted - now) / 1000))
  end
end
for i, tries in ipairs(KEYS) do
  redis.call('ZADD', tries, ARGV[1], ARGV[3])
  redis.call('ZREMRANGEBYRANK', tries, 0, -1 - 10 * tonumber(ARGV[3 + i]))
  redis.call('PEXPIRE', tries, ARGV[2])
end
return 0
`;
