-- Reads of several sessions of one server what lists show.
--
-- KEYS  the record and the content of each
-- ARGV  1 which parts: 'all', or 'few' for those that are no metadata
-- Gives for each what load.lua gives of it first: time, format (left out), record, state, unused rows, parts. Nothing of one that is not
--       there or whose keys are of another type: load.lua tells what it has come to.

local time, replies = now(), {}
for at = 1, #KEYS, 2 do
  local sizes = {redis.pcall('HLEN', KEYS[at]), redis.pcall('HLEN', KEYS[at + 1])}
  local isThere = type(sizes[1]) == 'number' and type(sizes[2]) == 'number' and sizes[1] > 0 and sizes[2] > 0
  local reply = false
  if isThere then
    local state, unused, parts = readState(KEYS[at + 1], ARGV[1] == 'all')
    reply = {time, false, linesOf(readRecord(KEYS[at]), sizes, turnLine(KEYS[at + 1])), state, unused, parts}
  end
  replies[#replies + 1] = reply
end
return replies
