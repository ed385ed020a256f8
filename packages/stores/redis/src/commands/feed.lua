-- Reads what has changed in one partition behind a position, in the order of the last changes. Writes that there are watchers.
--
-- KEYS  1 head, 2 feed, 3 ends, 4 tombstones
-- ARGV  1 position, or '' for none of the changes · 2 how many
-- Gives {'ok', store, position, removed, due, member, position, …}: the store that the head names, the last position that was given
--       out, the greatest that was forgotten, and whether sessions have ended and are to be buried; {'no-head'}; {'format', found};
--       {'damaged', set, members, members that it should have}; {'type', key}.

local names = {STORE, POSITION, REMOVED, WATCHED}
for at = 2, 4 do names[3 + at] = COUNT .. suffixOf(KEYS[at], KEYS[1]) end
local head, refusal = readHead(KEYS[1], unpack(names))
if refusal then return refusal end
for at = 2, 4 do
  local name = suffixOf(KEYS[at], KEYS[1])
  local card = redis.pcall('ZCARD', KEYS[at])
  if type(card) == 'table' then return {'type', name} end
  local expected = tonumber(head[4 + at] or 0)
  if card ~= expected then return {'damaged', name, card, expected} end
end

local time = now()
if (tonumber(head[5]) or 0) < time + WATCHED_MS / 2 then redis.call('HSET', KEYS[1], WATCHED, time + WATCHED_MS) end
local due = redis.call('ZCOUNT', KEYS[3], '-inf', time) + redis.call('ZCOUNT', KEYS[4], '-inf', time)
local changed = {}
if ARGV[1] ~= '' then
  changed = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
end
return {'ok', head[2], head[3] or '0', head[4] or '0', due > 0 and 1 or 0, unpack(changed)}
