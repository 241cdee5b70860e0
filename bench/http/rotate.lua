-- Asks the paths of the file named in the first argument in turn, with the key in the second, and prints what was
-- measured as one line. A third argument says how many requests are sent at once (HTTP pipelining; 1 without it): the
-- load then takes little of the processor, and so leaves it to what is measured.
local packets = {}
local position = 0

function init(arguments)
  local headers = { ["X-API-Key"] = arguments[2] }
  local depth = tonumber(arguments[3] or 1)
  local paths = {}
  for path in io.lines(arguments[1]) do
    paths[#paths + 1] = path
  end
  for first = 1, #paths do
    local requests = {}
    for offset = 0, depth - 1 do
      requests[#requests + 1] = wrk.format("GET", paths[(first + offset - 1) % #paths + 1], headers)
    end
    packets[#packets + 1] = table.concat(requests)
  end
end

function request()
  position = position % #packets + 1
  return packets[position]
end

function done(summary, latency)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(99)))
end
