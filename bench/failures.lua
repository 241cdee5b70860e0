-- As http/rotate.lua, and counts answers by status, and those with 503 that do not say when to try again.
local requests = {}
local position = 0
local all = {}

function setup(thread) all[#all + 1] = thread end

function init(arguments)
  local headers = { ["X-API-Key"] = arguments[2] }
  for path in io.lines(arguments[1]) do requests[#requests + 1] = wrk.format("GET", path, headers) end
  answered = 0; refused = 0; unannounced = 0; others = 0
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function response(status, headers)
  if status == 200 then answered = answered + 1
  elseif status == 503 then
    local names = {}
    for name, value in pairs(headers) do names[name:lower()] = value end
    if names["retry-after"] then refused = refused + 1 else unannounced = unannounced + 1 end
  else others = others + 1 end
end

function done(summary, latency)
  local sums = { answered = 0, refused = 0, unannounced = 0, others = 0 }
  for _, thread in ipairs(all) do
    for name in pairs(sums) do sums[name] = sums[name] + thread:get(name) end
  end
  local errors = summary.errors
  io.write(string.format('RESULT {"answered":%d,"refused":%d,"unannounced":%d,"others":%d,"broken":%d,"late":%d,"max":%d}\n', sums.answered,
    sums.refused, sums.unannounced, sums.others, errors.connect + errors.read + errors.write, errors.timeout, latency.max))
end
