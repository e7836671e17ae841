-- Asks for one page after another instead of always the same: wrk -s pages.lua URL -- FILE
-- FILE holds one path a line. Requests are formatted once, so that wrk itself costs little.

local requests = {}
local at = 0

function init(args)
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
