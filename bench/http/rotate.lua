-- Asks what the lines of the file named in the first argument hold in turn, with the key in the second, and prints what
-- was measured as one line. A line is a path, or a path, a tab and a JSON body to be posted. A third argument says how
-- many requests are sent at once (HTTP pipelining; 1 without it): the load then takes little of the processor, and so
-- leaves it to what is measured.
local packets = {}
local position = 0

function init(arguments)
  local headers = { ["X-API-Key"] = arguments[2] }
  local typed = { ["X-API-Key"] = arguments[2], ["Content-Type"] = "application/json" }
  local depth = tonumber(arguments[3] or 1)
  local paths = {}
  for path in io.lines(arguments[1]) do
    paths[#paths + 1] = path
  end
  for first = 1, #paths do
    local requests = {}
    for offset = 0, depth - 1 do
      local line = paths[(first + offset - 1) % #paths + 1]
      local path, body = line:match("^(.-)\t(.*)$")
      requests[#requests + 1] = path and wrk.format("POST", path, typed, body) or wrk.format("GET", line, headers)
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
