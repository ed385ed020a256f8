-- Removes rows that nothing refers to any more. No history will refer to them again, so that needs no comparison of versions.
--
-- KEYS  1 record  2 session
-- ARGV  1 the life of the session that the rows are of
--       2… for each row: its number, the id of its message
-- Gives {'ok'}, or {'gone'} if that life is over.

if redis.call('HGET', KEYS[1], LIFE) ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return {'gone'} end
local before = redis.call('HLEN', KEYS[2])
dropRows(KEYS[2], 2, #ARGV)
redis.call('HINCRBY', KEYS[1], CONTENT_COUNT, redis.call('HLEN', KEYS[2]) - before)
return {'ok'}
