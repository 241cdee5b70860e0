-- Asks the paths of the file named in the first argument in turn, and prints what was measured as one line.
local requests = {}
local position = 0

function init(arguments)
  local headers = { ["X-API-Key"] = arguments[2] }
  for path in io.lines(arguments[1]) do
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(99)))
end
