-- Counts the members of sets of the index anew.
--
-- KEYS  1 head, 2… sets of the partition
-- Gives how many counts were wrong.

local wrong, values, zeros = 0, {}, {}
for at = 2, #KEYS do
  local set = suffixOf(KEYS[at], KEYS[1])
  local members = redis.call(set == 'entries' and 'HLEN' or 'ZCARD', KEYS[at])
  if tonumber(redis.call('HGET', KEYS[1], COUNT .. set) or 0) ~= members then wrong = wrong + 1 end
  if members == 0 then
    zeros[#zeros + 1] = COUNT .. set
  else
    values[#values + 1] = COUNT .. set
    values[#values + 1] = members
  end
end
if #values > 0 then redis.call('HSET', KEYS[1], unpack(values)) end
if #zeros > 0 then redis.call('HDEL', KEYS[1], unpack(zeros)) end
return wrong
