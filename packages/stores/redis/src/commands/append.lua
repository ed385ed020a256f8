-- Appends messages to a session that exists, whatever its revision is: the fast lane of plain appends. Several requests
-- in one call, each all or nothing. It stops before the first that is not plain; what came before it is applied.
--
-- KEYS  1 the session  2 its window
-- ARGV  1 the channel of changes  2 the revision that the session has reached, as far as the caller knows
--       3 '' or "<until> <version> <who> <commit>": until when the index has been told of changes, and the version of the small
--         state that this is right for; who asks, for holds; a commit that must have been applied before. Each may be empty
--       then the requests, each of them: how many messages, with an f before it if there is a fence, and a g if a caller chose
--         the id; its id; the fence; the memory's JSON up to the revision, and its end; for each message its id, and
--         "<checksum> <JSON>"
-- Gives a text: the revision now, the time, the row of the first message; how many requests were applied, if it was not one;
-- "untold" if watchers could not be told. (A text is read faster than a list.) Or, with nothing written:
--       {'absent'}  {'newer', format}  {'lost', revision} it is behind what was acknowledged
--       {'renews'} its end moves with every commit: commit.lua does that
--       {'lease', time} the index must be told first  {'held', milliseconds, by whom}  {'behind'} the commit before is not there

local leased, version, who, before = '', '', '', ''
if ARGV[3] ~= '' then leased, version, who, before = string.match(ARGV[3], '^(%S*) (%S*) (%S*) (.*)$') end

-- Requests are lists of numbers, and names are made once: a call may bring hundreds, and tables and new texts cost the most.
local ARGV = ARGV
local asked = {'r', 'e', 'k', 'n', 'u', 'x', 'h', 'o', 'v', 'ba', 'C' .. before, 'w'}
local starts, firsts, lasts, asks = {}, {}, {}, {}
local fences, givens = {}, {}
local count, s, at, most = 0, 12, 4, #ARGV
while at <= most do
  local messages, first = tonumber(ARGV[at]), at + 2
  count = count + 1
  if not messages then
    local marks, number = string.match(ARGV[at], '^(%a+)(%d+)$')
    messages = tonumber(number)
    if string.sub(marks, 1, 1) == 'f' then
      fences[count] = ARGV[first]
      first = first + 1
    end
    if string.sub(marks, -1) == 'g' then
      givens[count] = first
      first = first + 2
    end
  end
  local last = first + 2 * messages - 1
  s = s + 1
  asked[s] = 'C' .. ARGV[at + 1]
  starts[count], firsts[count], lasts[count], asks[count] = at, first, last, s
  for name = first, last, 2 do
    s = s + 1
    asked[s] = 'i' .. ARGV[name]
  end
  at = last + 1
end
local isGiven = next(givens) ~= nil
local head = redis.call('HMGET', KEYS[1], unpack(asked))
if not head[1] then return {'absent'} end
if tonumber(head[9] or 0) > FORMAT then return {'newer', head[9]} end
if head[12] == '1' then return {'renews'} end
local revision = tonumber(head[1])
if revision < tonumber(ARGV[2]) then return {'lost', revision} end

-- A session that does not expire keeps generated commits itself.
local isOwn = head[2] == ''
local window = {}
if isGiven or not isOwn or (before ~= '' and not head[11]) then
  local remembered = {'v', 'ba', 'aa', 'ab', 'ah', asked[11]}
  for n = 1, count do remembered[n + 6] = asked[asks[n]] end
  window = redis.call('HMGET', KEYS[2], unpack(remembered))
  if not window[1] then return {'absent'} end
end
if before ~= '' and not head[11] and not window[6] then return {'behind'} end

local time = now()
local expiry = head[2]
if isOwn then expiry = '-' elseif tonumber(expiry) <= time then return {'absent'} end
if head[7] ~= '' then
  local space = string.find(head[7], ' ', 1, true)
  local rest, holder = string.sub(head[7], 1, space - 1) - time, string.sub(head[7], space + 1)
  if rest > 0 and holder ~= who then return {'held', rest, holder} end
end
local isOver = time > tonumber(head[6])
if isOver and (leased == '' or tonumber(leased) < time or head[8] ~= version) then return {'lease', time} end

local row, token = tonumber(head[4]), head[3]
local reached = revision
local first, given, horizon = tonumber(window[3] or 0), tonumber(window[4] or 0), tonumber(window[5] or 0)
local stored = given
local session, memories, generated = {}, {}, {}
local known, g, m, timeText = {}, 0, 0, ' ' .. time
s = 0
for n = 1, count do
  local index = asks[n]
  local commit = asked[index]
  local plain = not (head[index] or window[n + 6] or known[commit]) and (not fences[n] or fences[n] == token)
  local from, to = firsts[n], lasts[n]
  if plain then
    for name = index + 1, index + (to - from + 1) / 2 do
      if head[name] or known[asked[name]] then plain = false break end
      known[asked[name]] = true
    end
  end
  if not plain then break end
  known[commit] = true
  revision = revision + 1
  local stamp = revision .. timeText
  for name = from, to, 2 do
    local number = row .. ''
    index = index + 1
    session[s + 1] = 'm' .. number
    session[s + 2] = stamp .. ' ' .. ARGV[name + 1]
    session[s + 3] = asked[index]
    session[s + 4] = number
    s = s + 4
    row = row + 1
  end
  local id, start = ARGV[starts[n] + 1], givens[n]
  if start then
    memories[m + 1] = commit
    memories[m + 2] = 'a' .. ARGV[start] .. ',"revision":' .. revision .. ',"at":' .. time .. ARGV[start + 1]
    memories[m + 3] = 'a' .. given
    memories[m + 4] = time .. ' ' .. id
    given = given + 1
    m = m + 4
  else
    g = g + 1
    generated[g] = id
    if isOwn then
      session[s + 1] = commit
      session[s + 2] = 'b' .. stamp
      s = s + 2
    else
      memories[m + 1] = commit
      memories[m + 2] = 'b' .. stamp
      m = m + 2
    end
  end
end
local applied = revision - reached
if applied == 0 then return reached .. ' ' .. time .. ' ' .. row .. ' 0' end

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
  session[s + 2] = leased
end
local gone, forgotten = {}, {}
if isGiven then
  memories[m + 1] = 'ab'
  memories[m + 2] = given
  forgetCounted(KEYS[2], 'C', 'a', first, stored, given, horizon, time, memories, gone)
end
if g > 0 then
  local fields = isOwn and session or memories
  fields[#fields + 1] = 'b' .. revision
  fields[#fields + 1] = time .. ' ' .. table.concat(generated, '\n')
end
if isOwn then
  forgetGenerated(KEYS[1], tonumber(head[10] or 0), revision, session, forgotten)
else
  forgetGenerated(KEYS[2], tonumber(window[2] or 0), revision, memories, gone)
  memories[#memories + 1] = 'r'
  memories[#memories + 1] = revision
end
spread('HSET', KEYS[1], session)
if #forgotten > 0 then spread('HDEL', KEYS[1], forgotten) end
if #memories > 0 then spread('HSET', KEYS[2], memories) end
if #gone > 0 then spread('HDEL', KEYS[2], gone) end
local result = revision .. ' ' .. time .. ' ' .. head[4] .. ' ' .. applied
if not tell(ARGV[1], revision, time, '0', expiry) then return result .. ' untold' end
return result
