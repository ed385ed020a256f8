-- Appends messages to a session that exists, whatever its revision is: the fast lane of plain appends. Several requests
-- in one call, each all or nothing. It stops before the first that is not plain; what came before it is applied.
--
-- KEYS  1 the session  2 its window
-- ARGV  1 the format that the caller knows  2 the channel of changes  3 the session's id  4 who asks, for holds
--       5 until when the index has been told of changes, '' if it was not told now  6 the version of the small state that
--       this is right for  7 a commit that must have been applied before, '' for none
--       8 the number of requests, and for each of them:
--         its id, the memory's JSON up to the revision ('' for a generated id), its end, the fence or '', how many
--         messages; for each of those: its id, and "<checksum> <JSON>"
-- Gives {'ok', time, the revision before, how many requests were applied}, or, with nothing written:
--       {'absent'}  {'newer', format}  {'lease'} the index must be told first  {'held', milliseconds}
--       {'behind'} the commit before is not there

local asked = {'r', 'e', 'k', 'n', 'u', 'x', 'h', 'o'}
local remembered = {'v', 'r', 'ba', 'C' .. ARGV[7]}
local requests = tonumber(ARGV[8])
local isGiven = false
local at = 9
for n = 1, requests do
  remembered[n + 4] = 'C' .. ARGV[at]
  if ARGV[at + 1] ~= '' then isGiven = true end
  local after = at + 5 + 2 * ARGV[at + 4]
  for name = at + 5, after - 1, 2 do asked[#asked + 1] = 'i' .. ARGV[name] end
  at = after
end
local head = redis.call('HMGET', KEYS[1], unpack(asked))
local window = redis.call('HMGET', KEYS[2], unpack(remembered))
if not head[1] or not window[2] then return {'absent'} end
if tonumber(window[1]) > tonumber(ARGV[1]) then return {'newer', window[1]} end

if ARGV[7] ~= '' and not window[4] then return {'behind'} end

local time = now()
local expiry = head[2]
if expiry == '' then expiry = '-' elseif tonumber(expiry) <= time then return {'absent'} end
if head[7] ~= '' then
  local space = string.find(head[7], ' ', 1, true)
  local rest = string.sub(head[7], 1, space - 1) - time
  if rest > 0 and string.sub(head[7], space + 1) ~= ARGV[4] then return {'held', rest} end
end
local isOver = time > tonumber(head[6])
if isOver and (ARGV[5] == '' or tonumber(ARGV[5]) < time or head[8] ~= ARGV[6]) then return {'lease'} end

local before, row, token = tonumber(head[1]), tonumber(head[4]), head[3]
local revision = before
local first, given, horizon = 0, 0, 0
if isGiven then
  local line = redis.call('HMGET', KEYS[2], 'aa', 'ab', 'ah')
  first, given, horizon = tonumber(line[1] or 0), tonumber(line[2] or 0), tonumber(line[3] or 0)
end
local stored = given
local session, memories = {}, {}
local s, m = 0, 0
local known, added = {}, {}
local message = 8
at = 9
for n = 1, requests do
  local id, start, fence = ARGV[at], ARGV[at + 1], ARGV[at + 3]
  local after = at + 5 + 2 * ARGV[at + 4]
  local plain = not window[n + 4] and not known[id] and (fence == '' or fence == token)
  if plain then
    local index = message
    for name = at + 5, after - 1, 2 do
      index = index + 1
      if head[index] or added[ARGV[name]] then plain = false break end
      added[ARGV[name]] = true
    end
  end
  if not plain then break end
  message = message + ARGV[at + 4]
  revision = revision + 1
  for name = at + 5, after - 1, 2 do
    session[s + 1] = 'm' .. row
    session[s + 2] = revision .. ' ' .. time .. ' ' .. ARGV[name + 1]
    session[s + 3] = 'i' .. ARGV[name]
    session[s + 4] = row
    s = s + 4
    row = row + 1
  end
  memories[m + 1] = 'C' .. id
  if start == '' then
    memories[m + 2] = 'b' .. revision .. ' ' .. time
    memories[m + 3] = 'b' .. revision
  else
    memories[m + 2] = 'a' .. start .. ',"revision":' .. revision .. ',"at":' .. time .. ARGV[at + 2]
    memories[m + 3] = 'a' .. given
    given = given + 1
  end
  memories[m + 4] = time .. ' ' .. id
  m = m + 4
  known[id] = true
  at = after
end
local applied = revision - before
if applied == 0 then return {'ok', time, before, 0} end

session[s + 1] = 'r'
session[s + 2] = revision
session[s + 3] = 'n'
session[s + 4] = row
s = s + 4
if time > tonumber(head[5]) then
  session[s + 1] = 'u'
  session[s + 2] = time
  s = s + 2
end
if isOver then
  session[s + 1] = 'x'
  session[s + 2] = ARGV[5]
end
memories[m + 1] = 'r'
memories[m + 2] = revision
local gone = {}
if isGiven then
  memories[m + 3] = 'ab'
  memories[m + 4] = given
  forgetCounted(KEYS[2], 'C', 'a', first, stored, given, horizon, time, memories, gone)
end
forgetGenerated(KEYS[2], tonumber(window[3] or 0), revision, memories, gone)
spread('HSET', KEYS[1], session)
spread('HSET', KEYS[2], memories)
if #gone > 0 then spread('HDEL', KEYS[2], gone) end
redis.call('PUBLISH', ARGV[2], revision .. ' ' .. time .. ' 0 ' .. expiry .. ' ' .. ARGV[3])
return {'ok', time, before, applied}
