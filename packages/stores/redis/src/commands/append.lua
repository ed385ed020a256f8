-- Appends messages to a session that exists, whatever its revision is: the fast lane of plain appends. Several requests
-- in one call, each all or nothing. It stops before the first that is not plain; what came before it is applied.
--
-- KEYS  1 the session  2 its window
-- ARGV  1 the format that the caller knows  2 the channel of changes  3 the session's id  4 who asks, for holds
--       5 how many given commits are remembered  6 and for how many milliseconds  7 how many generated ones
--       8 until when the index has been told of changes, '' if it was not told now  9 the version of the small state that
--       this is right for
--       10 the number of requests, and for each of them:
--         its id, the memory's JSON up to the revision ('' for a generated id), its end, the fence or '', how many
--         messages; for each of those: its id, and "<checksum> <JSON>"
-- Gives {'ok', time, the revision before, how many requests were applied}, or, with nothing written:
--       {'absent'}  {'newer', format}  {'lease'} the index must be told first  {'held', milliseconds}

local head = redis.call('HMGET', KEYS[1], 'r', 'e', 'k', 'n', 'u', 'x', 'h', 'o')
if not head[1] then return {'absent'} end
local fields = {'v', 'aa', 'ab', 'ah', 'ba', 'bb', 'bh', 'r'}
local ids = {}
local at = 11
local requests = tonumber(ARGV[10])
for _ = 1, requests do
  fields[#fields + 1] = 'C' .. ARGV[at]
  local messages = tonumber(ARGV[at + 4])
  at = at + 5
  for _ = 1, messages do
    ids[#ids + 1] = 'i' .. ARGV[at]
    at = at + 2
  end
end
local window = redis.call('HMGET', KEYS[2], unpack(fields))
if not window[1] or not window[8] then return {'absent'} end
if tonumber(window[1]) > tonumber(ARGV[1]) then return {'newer', window[1]} end

local time = now()
local expiry = tonumber(head[2])
if expiry and expiry <= time then return {'absent'} end
if head[7] and head[7] ~= '' then
  local space = string.find(head[7], ' ', 1, true)
  local rest = tonumber(string.sub(head[7], 1, space - 1)) - time
  if rest > 0 and string.sub(head[7], space + 1) ~= ARGV[4] then return {'held', whole(rest)} end
end
local lease = false
if time > tonumber(head[6]) then
  if ARGV[8] == '' or tonumber(ARGV[8]) < time or head[8] ~= ARGV[9] then return {'lease'} end
  lease = ARGV[8]
end

local held = #ids == 0 and {} or redis.call('HMGET', KEYS[1], unpack(ids))
local revision, row, token = tonumber(head[1]), tonumber(head[4]), head[3]
local before = revision
local given, generated = tonumber(window[3] or 0), tonumber(window[6] or 0)
local session, memories = {}, {}
local known, added = {}, {}
local stamp = whole(time)
local applied, message = 0, 0
at = 11
for n = 1, requests do
  local id, start, ending, fence, messages = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], tonumber(ARGV[at + 4])
  at = at + 5
  if window[8 + n] or known[id] or (fence ~= '' and fence ~= token) then break end
  local plain = true
  for m = 1, messages do
    local name = ARGV[at + 2 * m - 2]
    if held[message + m] or added[name] then plain = false break end
    added[name] = true
  end
  if not plain then break end
  revision = revision + 1
  local text = whole(revision)
  for m = 1, messages do
    local number = whole(row)
    session[#session + 1] = 'm' .. number
    session[#session + 1] = text .. ' ' .. stamp .. ' ' .. ARGV[at + 2 * m - 1]
    session[#session + 1] = 'i' .. ARGV[at + 2 * m - 2]
    session[#session + 1] = number
    row = row + 1
  end
  memories[#memories + 1] = 'C' .. id
  if start == '' then
    memories[#memories + 1] = 'b' .. text .. ' ' .. stamp
    memories[#memories + 1] = 'b' .. generated
    generated = generated + 1
  else
    memories[#memories + 1] = 'a' .. start .. ',"revision":' .. text .. ',"at":' .. stamp .. ending
    memories[#memories + 1] = 'a' .. given
    given = given + 1
  end
  memories[#memories + 1] = stamp .. ' ' .. id
  known[id] = true
  at = at + 2 * messages
  message = message + messages
  applied = applied + 1
end
if applied == 0 then return {'ok', stamp, whole(before), '0'} end

local gone = {}
local first, horizon = forget(KEYS[2], 'C', 'b', tonumber(window[5] or 0), generated, tonumber(window[7] or 0), tonumber(ARGV[7]), time, 2 * applied, gone)
local oldest, old = forget(KEYS[2], 'C', 'a', tonumber(window[2] or 0), given, tonumber(window[4] or 0), tonumber(ARGV[5]), time - tonumber(ARGV[6]), 2 * applied, gone)
for _, entry in ipairs({'r', whole(revision), 'bb', generated, 'ab', given}) do memories[#memories + 1] = entry end
if #gone > 0 then
  for _, entry in ipairs({'ba', first, 'bh', whole(horizon), 'aa', oldest, 'ah', whole(old)}) do memories[#memories + 1] = entry end
end
session[#session + 1] = 'r'
session[#session + 1] = whole(revision)
session[#session + 1] = 'n'
session[#session + 1] = whole(row)
if lease then
  session[#session + 1] = 'x'
  session[#session + 1] = lease
end
if time > tonumber(head[5]) then
  session[#session + 1] = 'u'
  session[#session + 1] = stamp
end
spread('HSET', KEYS[1], session, 2)
spread('HSET', KEYS[2], memories, 2)
if #gone > 0 then spread('HDEL', KEYS[2], gone, 1) end
redis.call('PUBLISH', ARGV[2], whole(revision) .. ' ' .. stamp .. ' 0 ' .. (expiry and head[2] or '-') .. ' ' .. ARGV[3])
return {'ok', stamp, whole(before), whole(applied)}
