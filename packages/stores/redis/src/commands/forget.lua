-- Forgets tombstones of a partition whose time is over. Whoever has a cursor from before one of them has to begin anew.
--
-- KEYS  1 head, 2 feed, 3 tombstones
-- ARGV  1 how many at most
-- Gives {'ok', how many were forgotten}; {'no-head'}; {'format', found}; {'type', key}.

local head, refusal = readHead(KEYS[1], REMOVED, COUNT .. 'feed', COUNT .. 'tombstones')
if refusal then return refusal end

local over = redis.pcall('ZRANGEBYSCORE', KEYS[3], '-inf', now(), 'LIMIT', 0, ARGV[1])
if over.err then return {'type', 'tombstones'} end
if #over == 0 then return {'ok', 0} end
local positions = redis.pcall('ZMSCORE', KEYS[2], unpack(over))
if positions.err then return {'type', 'feed'} end

local removed, fed = tonumber(head[2] or 0), {}
for n, member in ipairs(over) do
  if positions[n] then
    removed = math.max(removed, tonumber(positions[n]))
    fed[#fed + 1] = member
  end
end
redis.call('HSET', KEYS[1], REMOVED, string.format('%.0f', removed), COUNT .. 'feed',
  string.format('%.0f', tonumber(head[3] or 0) - #fed), COUNT .. 'tombstones',
  string.format('%.0f', tonumber(head[4] or 0) - #over))
if #fed > 0 then redis.call('ZREM', KEYS[2], unpack(fed)) end
redis.call('ZREM', KEYS[3], unpack(over))
return {'ok', #over}
