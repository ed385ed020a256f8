-- Names the sessions of a partition that have ended and are still in its index, the earliest first. Writes nothing.
--
-- KEYS  1 head, 2 ends, 3 entries
-- ARGV  1 how many
-- Gives {'ok', member, end, entry, …}, the entry '' where there is none; {'no-head'}; {'format', found}; {'type', key}.

local _, refusal = readHead(KEYS[1])
if refusal then return refusal end

local due = redis.pcall('ZRANGEBYSCORE', KEYS[2], '-inf', now(), 'WITHSCORES', 'LIMIT', 0, ARGV[1])
if due.err then return {'type', suffixOf(KEYS[2], KEYS[1])} end
local reply = {'ok'}
for n = 1, #due, 2 do
  local entry = redis.pcall('HGET', KEYS[3], due[n])
  if type(entry) == 'table' then return {'type', suffixOf(KEYS[3], KEYS[1])} end
  reply[#reply + 1] = due[n]
  reply[#reply + 1] = due[n + 1]
  reply[#reply + 1] = entry or ''
end
return reply
