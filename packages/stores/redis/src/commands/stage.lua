-- Writes rows ahead of the commit that will use them. No history leads to them, so nobody sees them.
--
-- KEYS  1 the session, or a key of their own that will become one
-- ARGV  1 the field of the session that reserves the rows, '' for a key of their own  2 for how long such a key is kept
--       3 how many rows, and for each: its number, the message's id, its text
-- Gives {'ok'}, or {'gone'} if the session or the reservation is not there any more.

if ARGV[1] ~= '' and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return {'gone'} end
local fields, names = {}, {}
for n = 4, #ARGV, 3 do names[#names + 1] = 'i' .. ARGV[n + 1] end
local known = redis.call('HMGET', KEYS[1], unpack(names))
local rows = {}
for n = 1, #names do
  local number = ARGV[4 + 3 * (n - 1)]
  local before = rows[names[n]] or known[n]
  rows[names[n]] = before and before .. ',' .. number or number
  fields[#fields + 1] = 'm' .. number
  fields[#fields + 1] = ARGV[4 + 3 * (n - 1) + 2]
end
for name, listed in pairs(rows) do
  fields[#fields + 1] = name
  fields[#fields + 1] = listed
end
spread('HSET', KEYS[1], fields)
if ARGV[1] == '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {'ok'}
