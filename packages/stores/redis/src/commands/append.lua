-- Appends messages to a session that exists, whatever its revision is: the way of plain appends, on which nobody has to try again.
-- Several requests in one call, each all or nothing. It stops before the first that is not plain; those before it are applied.
--
-- KEYS  1 record  2 session  3 head  4 feed  5 recent
--       then `ends` if every use moves the session's end, and the sets of its labels and parent
-- ARGV  1 channel of changes  2 the server's replication id  3 the session's member  4 the version of its index entry as the caller
--       knows it, '' for none  5 the caller's instance, for holds
--       6 the revision that the session has reached, as far as the caller knows
--       then the requests, each of them: how many messages, with an f before it if there is a fence and a g if a caller chose the id;
--       its id; the fence; the memory's JSON up to the revision, and its end; for each message its id, and "<checksum> <JSON>"
-- Gives a text (read faster than a list): revision, time, row of the first message, how many requests were applied; behind it
--       "unpublished" if watchers could not be woken, "entered" if an entry of the index was missing. Or, with nothing written:
--       {'general'} commit.lua has to do it, or something is wrong that load.lua tells  {'held', milliseconds}
--       {'index'} the labels are others
--       {'broken', key, problem} a key of the index cannot be used  {'damaged', key, field} a field of the session cannot be read

local ARGV = ARGV
local recordNames = {
  REVISION, UPDATED, EXPIRES, RENEWS, NEXT, TOKEN, INDEX, HOLD, FIELD_COUNT, GENERATED_FIRST, GENERATED_NEXT, GIVEN_FIRST, GIVEN_NEXT,
}
local HEAD = 13
-- A field that every session has, before the ids of the messages: without it the session is not there.
local idNames = {TURNS_FIRST}
-- For each request: where its arguments begin, where its messages do, and where they end.
local starts, firsts, lasts, fences, givens = {}, {}, {}, {}, {}
local count, at, argumentCount, idCount = 0, 7, #ARGV, 1
while at <= argumentCount do
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
  recordNames[HEAD + count] = COMMIT .. ARGV[at + 1]
  starts[count], firsts[count], lasts[count] = at, first, last
  for name = first, last, 2 do
    idCount = idCount + 1
    idNames[idCount] = ID .. ARGV[name]
  end
  at = last + 1
end

-- Everything is looked at before anything is written: a script is not undone. Texts are kept as texts, because Lua prints numbers
-- slowly: a time is the seconds and the first three of six digits of the microseconds.
local clock = redis.call('TIME')
local timeText = clock[1] .. string.sub(string.rep('0', 6 - #clock[2]) .. clock[2], 1, 3)
local time = tonumber(timeText)
local head = redis.pcall('HMGET', KEYS[3], FORMAT, POSITION, REPLICA, WATCHED)
if head.err then return {'broken', KEYS[3], head.err} end
if head[2] and not tonumber(head[2]) then return {'broken', KEYS[3], 'has no position'} end
local record = redis.call('HMGET', KEYS[1], unpack(recordNames))
local known = redis.call('HMGET', KEYS[2], unpack(idNames))
local revision, updated, row, fieldCount = tonumber(record[1]), tonumber(record[2]), tonumber(record[5]), tonumber(record[9])
local oldestGenerated, generated = tonumber(record[10]), tonumber(record[11])
local oldestGiven, given = tonumber(record[12]), tonumber(record[13])
if head[1] ~= FORMAT_TEXT or not head[2] or not revision or not known[1] then return {'general'} end
if not (updated and row and record[8] and fieldCount and oldestGenerated and generated and oldestGiven and given) then return {'general'} end
local remembered = generated - oldestGenerated + given - oldestGiven
if fieldCount + 2 * remembered ~= redis.call('HLEN', KEYS[1]) then return {'general'} end
if revision < tonumber(ARGV[6]) then return {'general'} end
local expires, renews = tonumber(record[3]), tonumber(record[4])
if record[3] and record[3] ~= '' and not expires then return {'general'} end
if expires and expires <= time then return {'general'} end
if (record[7] or '') ~= ARGV[4] then return {'index'} end
if record[8] ~= '' then
  local rest = heldFor(record[8], ARGV[5], time)
  if rest then return {'held', rest} end
end

-- What is written: `content` are fields of the session, `memories` of its record.
local content, s = {}, 0
local memories, m = {}, 0
local storedGiven, storedGenerated = given, generated
local seen, applied, id, rowText = {}, 0, 1, record[5]
local stamp
for n = 1, count do
  local commit = recordNames[HEAD + n]
  local plain = not record[HEAD + n] and not seen[commit] and (not fences[n] or fences[n] == record[6])
  local from, to = firsts[n], lasts[n]
  if plain then
    for index = id + 1, id + (to - from + 1) / 2 do
      local name = idNames[index]
      if known[index] or seen[name] then plain = false break end
      seen[name] = true
    end
  end
  if not plain then break end
  seen[commit] = true
  applied = applied + 1
  stamp = revision + applied .. ' ' .. timeText
  for name = from + 1, to, 2 do
    id = id + 1
    content[s + 1], content[s + 2] = ROW .. rowText, stamp .. ' ' .. ARGV[name]
    content[s + 3], content[s + 4] = idNames[id], rowText
    s = s + 4
    row = row + 1
    rowText = row .. ''
  end
  local start = givens[n]
  memories[m + 1] = commit
  if start then
    memories[m + 2] = ARGV[start] .. ',"revision":' .. revision + applied .. ',"at":' .. timeText .. ARGV[start + 1]
    memories[m + 3] = GIVEN .. given
    given = given + 1
  else
    memories[m + 2] = stamp
    memories[m + 3] = GENERATED .. generated
    generated = generated + 1
  end
  memories[m + 4] = timeText .. ' ' .. ARGV[starts[n] + 1]
  m = m + 4
end
if applied == 0 then return {'general'} end

local reached, change = revision + applied .. '', record[2]
if time > updated then change = timeText end
memories[m + 1], memories[m + 2], memories[m + 3], memories[m + 4] = REVISION, reached, NEXT, rowText
memories[m + 5], memories[m + 6] = UPDATED, change
m = m + 6
local forgotten, unreadable = {}, nil
if generated > storedGenerated then
  memories[m + 1], memories[m + 2] = GENERATED_NEXT, generated
  m = m + 2
  if generated - oldestGenerated > GENERATED_COUNT + FORGET_STEP then
    local horizon = tonumber(redis.call('HGET', KEYS[1], GENERATED_HORIZON))
    memories[m + 1], memories[m + 3] = GENERATED_FIRST, GENERATED_HORIZON
    memories[m + 2], memories[m + 4], unreadable = forget(
      KEYS[1], COMMIT, GENERATED, oldestGenerated, generated, storedGenerated, horizon, GENERATED_COUNT, math.huge, forgotten
    )
    if unreadable then return {'damaged', KEYS[1], unreadable} end
    m = m + 4
  end
end
if given > storedGiven then
  memories[m + 1], memories[m + 2] = GIVEN_NEXT, given
  m = m + 2
  if given - oldestGiven > GIVEN_COUNT + FORGET_STEP then
    local horizon = tonumber(redis.call('HGET', KEYS[1], GIVEN_HORIZON))
    memories[m + 1], memories[m + 3] = GIVEN_FIRST, GIVEN_HORIZON
    memories[m + 2], memories[m + 4], unreadable = forget(
      KEYS[1], COMMIT, GIVEN, oldestGiven, given, storedGiven, horizon, GIVEN_COUNT, time - GIVEN_MS, forgotten
    )
    if unreadable then return {'damaged', KEYS[1], unreadable} end
    m = m + 4
  end
end
local ended = expires
if renews then
  ended = math.max(expires or 0, time + renews)
  memories[m + 1], memories[m + 2] = EXPIRES, ended
end
local isMoved = renews and ended ~= expires

-- The index first: its keys may be of another type. What was changed of it is undone then, and nothing else is written.
local position = nextPosition(head[2], head[3], ARGV[2]) .. ''
if head[3] == ARGV[2] then
  redis.call('HSET', KEYS[3], POSITION, position)
else
  redis.call('HSET', KEYS[3], POSITION, position, REPLICA, ARGV[2])
end
local entered = false
local fed = redis.pcall('ZADD', KEYS[4], position, ARGV[3])
if type(fed) == 'table' then return {'broken', KEYS[4], fed.err} end
if fed == 1 then entered = true end
for n = 5, #KEYS do
  local score, before = change, record[2]
  if n == 6 and renews then score, before = ended, expires end
  local changed = redis.pcall('ZADD', KEYS[n], 'XX', 'CH', score, ARGV[3])
  if changed == 0 and not redis.call('ZSCORE', KEYS[n], ARGV[3]) then
    entered = true
    redis.call('ZADD', KEYS[n], score, ARGV[3])
  elseif type(changed) == 'table' then
    for undone = 5, n - 1 do
      redis.call('ZADD', KEYS[undone], 'XX', undone == 6 and renews and expires or record[2], ARGV[3])
    end
    return {'broken', KEYS[n], changed.err}
  end
end

-- The session. A list of fields longer than Lua's stack is written in parts.
if s <= 4000 then redis.call('HSET', KEYS[2], unpack(content)) else spread('HSET', KEYS[2], content) end
if m <= 4000 then redis.call('HSET', KEYS[1], unpack(memories)) else spread('HSET', KEYS[1], memories) end
if isMoved then
  redis.call('PEXPIREAT', KEYS[2], ended - 1)
  redis.call('PEXPIREAT', KEYS[1], ended - 1 + TOMBSTONE_MS)
end
if #forgotten > 0 then spread('HDEL', KEYS[1], forgotten) end
local result = stamp .. ' ' .. record[5] .. ' ' .. applied
if not publish(ARGV[1], KEYS[1], head[4], time) then result = result .. ' unpublished' end
if entered then result = result .. ' entered' end
return result
