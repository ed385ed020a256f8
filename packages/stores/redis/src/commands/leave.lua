-- Corrects what the index says of a session, if nobody has told it anything since and it is not too young: a session is
-- told of before it is written.
--
-- KEYS  1 the entries  2… the sorted sets that are corrected
-- ARGV  1 the session's place  2 the entry that the correction is made for  3 how old it must be, in milliseconds
--       4 the score that is right, '' to take it out of these sets  5 '1' if the entry goes too
-- Gives {'ok'} or {'kept'}.

local entry = redis.call('HGET', KEYS[1], ARGV[1])
if (entry or '') ~= ARGV[2] then return {'kept'} end
if entry and tonumber(string.match(entry, '^%d+')) > now() - tonumber(ARGV[3]) then return {'kept'} end
for n = 2, #KEYS do
  if ARGV[4] == '' then
    redis.call('ZREM', KEYS[n], ARGV[1])
  else
    redis.call('ZADD', KEYS[n], 'XX', ARGV[4], ARGV[1])
  end
end
if ARGV[5] == '1' then redis.call('HDEL', KEYS[1], ARGV[1]) end
return {'ok'}
