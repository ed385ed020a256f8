-- Writes rows ahead of the commit that will use them. No history refers to them, so nobody sees them.
--
-- KEYS  1 the session, or a key of their own that will become one  2 the record, if it is the session
-- ARGV  1 the life of the session that the rows were reserved in, '' for a key of their own  2 for how long such a key is kept
--       3… for each row: its number, the message's id, its text
-- Gives {'ok'}, or {'gone'} if that life is over.

if KEYS[2] and redis.call('HGET', KEYS[2], LIFE) ~= ARGV[1] then return {'gone'} end
if KEYS[2] and redis.call('EXISTS', KEYS[1]) == 0 then return {'gone'} end
local names, fields, rows = {}, {}, {}
for n = 3, #ARGV, 3 do names[#names + 1] = ID .. ARGV[n + 1] end
local known = redis.call('HMGET', KEYS[1], unpack(names))
for n = 1, #names do
  local number = ARGV[3 * n]
  local before = rows[names[n]] or known[n]
  -- A call that was not answered is sent again.
  local isListed = before and string.find(',' .. before .. ',', ',' .. number .. ',', 1, true)
  rows[names[n]] = isListed and before or before and before .. ',' .. number or number
  fields[#fields + 1] = ROW .. number
  fields[#fields + 1] = ARGV[3 * n + 2]
end
for name, listed in pairs(rows) do
  fields[#fields + 1] = name
  fields[#fields + 1] = listed
end
local before = redis.call('HLEN', KEYS[1])
spread('HSET', KEYS[1], fields)
if KEYS[2] then
  redis.call('HINCRBY', KEYS[2], CONTENT_COUNT, redis.call('HLEN', KEYS[1]) - before)
else
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return {'ok'}
