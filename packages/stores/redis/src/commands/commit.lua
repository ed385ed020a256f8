-- Writes what a commit has come to, if the session is still what the commit was decided on: all or nothing. Everything is looked at
-- before anything is written, because a script is not undone.
--
-- KEYS  1 record  2 session  3 head  4 feed  5 entries
--       then the sets of the index that the session is in or will be in, and last, if ARGV 20 says so, rows that were written ahead: they
--       become the session
-- ARGV  1 channel of changes  2 the server's replication id  3 the session's member  4 the caller's instance, for holds
--       5 the version that it was decided on, '' where there was no record  6 the revision, '' where there was none
--       7 'live', 'over' where its content is there though its end has passed, or 'gone' where the session had ended or was never there
--       8 then its entry in the index, '' for none
--       9 then '1' if the sets of the index have it all the same: it has expired, and nobody has cleared it away
--       10 the time of the decision, if the server's clock has not been asked for it, else ''
--       11 'live' or 'ended'  12 the revision now  13 '1' if it is a change for watchers
--       14 when the session expires: 'keep', 'never' or a time  15 the same for its record  16 its entry in the index: 'keep', '' or a text
--       17 the horizon of given commits where nothing stays that is remembered of them, else ''  18 the same for finished turns; a new
--       life has it always
--       19 '1' if the session begins a new life  20 '1' if rows were written ahead for it
--       then lists, each with its length first: for each of the sets, 'add', 'touch' or 'remove', and the score; fields of the record (name,
--       value), of the session; fields to delete (name) of the record, of the session; ids of messages (id, row); rows that go (row, id);
--       fields that must not be there (name), of the record, of the session; given commits, generated ones, finished turns (id, time, memory)
-- Gives {'ok', time, '1' if watchers could not be woken, '1' if an entry of the index was missing}. Or, with nothing written:
--       {'moved'} the session is another one by now, or damaged: load.lua tells  {'format', format}  {'held', milliseconds}
--       {'late'} the time of the decision is too far from the server's  {'unstaged'} the rows that were written ahead are not there any more
--       {'damaged', key, field} a field of the session cannot be read
--       {'indexed', key} a set has the session, though nothing else is known of it  {'broken', key, problem} a key of the index cannot be used

local at = 21
local function list(width)
  local first = at + 1
  at = first + ARGV[at] * width
  return first, at - 1
end
local setFrom, setTo = list(2)
local recordFrom, recordTo = list(2)
local sessionFrom, sessionTo = list(2)
local recordRemovedFrom, recordRemovedTo = list(1)
local sessionRemovedFrom, sessionRemovedTo = list(1)
local idFrom, idTo = list(2)
local dropFrom, dropTo = list(2)
local absentRecordFrom, absentRecordTo = list(1)
local absentSessionFrom, absentSessionTo = list(1)
local givenFrom, givenTo = list(3)
local generatedFrom, generatedTo = list(3)
local turnFrom, turnTo = list(3)

local member, isLive, isNew = ARGV[3], ARGV[11] == 'live', ARGV[19] == '1'
local staged = ARGV[20] == '1' and KEYS[#KEYS] or nil
local base = #KEYS[3] - 4

local head = redis.pcall('HMGET', KEYS[3], FORMAT, POSITION, REPLICA, WATCHED)
if head.err then return {'broken', KEYS[3], head.err} end
if head[2] and not tonumber(head[2]) then return {'broken', KEYS[3], 'has no position'} end
if head[1] ~= FORMAT_VERSION .. '' or not head[2] then return {'format', head[1] or ''} end
local record = redis.call(
  'HMGET', KEYS[1], VERSION, REVISION, EXPIRES, HOLD, FIELD_COUNT, CONTENT_COUNT, GIVEN_FIRST, GIVEN_NEXT, GIVEN_HORIZON, GENERATED_FIRST,
  GENERATED_NEXT, GENERATED_HORIZON, NEXT
)
local sizeOfRecord = redis.call('HLEN', KEYS[1])
local size, time = redis.call('HLEN', KEYS[2]), now()
if (record[1] or '') ~= ARGV[5] or (record[2] or '') ~= ARGV[6] then return {'moved'} end
if record[1] then
  -- What is no number is damage.
  if record[3] and record[3] ~= '' and not tonumber(record[3]) then return {'moved'} end
  for n = 5, 13 do
    if not tonumber(record[n]) then return {'moved'} end
  end
  local remembered = record[8] - record[7] + record[11] - record[10]
  if record[5] + 2 * remembered ~= sizeOfRecord then return {'moved'} end
end
if ARGV[7] ~= 'gone' then
  if size == 0 or record[6] + 2 * record[13] ~= size then return {'moved'} end
  local isOver = record[3] and record[3] ~= '' and tonumber(record[3]) <= time or false
  if isOver ~= (ARGV[7] == 'over') then return {'moved'} end
  if record[4] ~= '' then
    local rest = heldFor(record[4], ARGV[4], time)
    if rest then return {'held', rest} end
  end
elseif size > 0 then
  return {'moved'}
end
if ARGV[10] ~= '' and math.abs(tonumber(ARGV[10]) - time) > 1000 then return {'late'} end
if staged and redis.call('EXISTS', staged) == 0 then return {'unstaged'} end

local function isAbsent(key, from, to)
  for first = from, to, 4000 do
    for _, value in ipairs(redis.call('HMGET', key, unpack(ARGV, first, math.min(first + 3999, to)))) do
      if value then return false end
    end
  end
  return true
end
if not isAbsent(KEYS[1], absentRecordFrom, absentRecordTo) then return {'moved'} end
if not isAbsent(KEYS[2], absentSessionFrom, absentSessionTo) then return {'moved'} end

-- The index: of which type its keys are, and what is in them.
local function failed(key, reply) return {'broken', key, reply.err} end
local entry = redis.pcall('HGET', KEYS[5], member)
if type(entry) == 'table' then return failed(KEYS[5], entry) end
if ARGV[7] == 'gone' and (entry or '') ~= ARGV[8] then return {'moved'} end
local position = redis.pcall('ZSCORE', KEYS[4], member)
if type(position) == 'table' then return failed(KEYS[4], position) end
local scores = {}
for n = setFrom, setTo, 2 do
  local key = KEYS[6 + (n - setFrom) / 2]
  local score = redis.pcall('ZSCORE', key, member)
  if type(score) == 'table' then return failed(key, score) end
  -- Where nothing is known of the session, nothing of it may be in the index: that would be a session that was lost.
  if score and ARGV[n] == 'add' and ARGV[5] == '' and ARGV[9] ~= '1' then return {'indexed', key} end
  scores[#scores + 1] = score
end

-- Memories go to the end of their line; the oldest of it are forgotten. Where nothing stays, the line begins anew. Gives a field that cannot
-- be read.
local function remember(key, mark, line, first, next, horizon, count, before, clears, from, to, fields, removed)
  if clears == '' and from > to then return end
  local kept, stored = {}, next
  for n = from, to, 3 do
    fields[#fields + 1] = mark .. ARGV[n]
    fields[#fields + 1] = ARGV[n + 2]
    fields[#fields + 1] = line .. next
    fields[#fields + 1] = ARGV[n + 1] .. ' ' .. ARGV[n]
    kept[mark .. ARGV[n]] = true
    next = next + 1
  end
  if clears ~= '' then
    for start = first, stored - 1, 1000 do
      local names = {}
      for n = start, math.min(start + 999, stored - 1) do names[#names + 1] = line .. n end
      for index, text in ipairs(redis.call('HMGET', key, unpack(names))) do
        local _, id = readMemory(text)
        if not id then return names[index] end
        removed[#removed + 1] = names[index]
        if not kept[mark .. id] then removed[#removed + 1] = mark .. id end
      end
    end
    first, horizon = stored, tonumber(clears)
  else
    local unreadable
    first, horizon, unreadable = forget(key, mark, line, first, next, stored, horizon, count, before, removed)
    if unreadable then return unreadable end
  end
  for _, value in ipairs({line .. '.first', first, line .. '.next', next, line .. '.horizon', horizon}) do
    fields[#fields + 1] = value
  end
end

local fields, removed = {}, {}
for n = recordFrom, recordTo do fields[#fields + 1] = ARGV[n] end
for n = recordRemovedFrom, recordRemovedTo do removed[#removed + 1] = ARGV[n] end
if not record[1] then
  local names = {GIVEN_FIRST, GIVEN_NEXT, GIVEN_HORIZON, GENERATED_FIRST, GENERATED_NEXT, GENERATED_HORIZON, FIELD_COUNT, CONTENT_COUNT}
  for _, name in ipairs(names) do
    fields[#fields + 1] = name
    fields[#fields + 1] = 0
  end
end
fields[#fields + 1] = HOLD
fields[#fields + 1] = ''
local unreadable = remember(
  KEYS[1], COMMIT, GIVEN, tonumber(record[7] or 0), tonumber(record[8] or 0), tonumber(record[9] or 0), GIVEN_COUNT, time - GIVEN_MS,
  ARGV[17], givenFrom, givenTo, fields, removed
) or remember(
  KEYS[1], COMMIT, GENERATED, tonumber(record[10] or 0), tonumber(record[11] or 0), tonumber(record[12] or 0), GENERATED_COUNT,
  math.huge, '', generatedFrom, generatedTo, fields, removed
)
if unreadable then return {'damaged', KEYS[1], unreadable} end
local content, dropped = {}, {}
if isLive then
  for n = sessionFrom, sessionTo do content[#content + 1] = ARGV[n] end
  for n = sessionRemovedFrom, sessionRemovedTo do dropped[#dropped + 1] = ARGV[n] end
  local turns = isNew and {0, 0, 0} or redis.call('HMGET', KEYS[2], TURNS_FIRST, TURNS_NEXT, TURNS_HORIZON)
  for n, name in ipairs({TURNS_FIRST, TURNS_NEXT, TURNS_HORIZON}) do
    if not tonumber(turns[n]) then return {'damaged', KEYS[2], name} end
  end
  unreadable = remember(
    KEYS[2], TURN, TURNS, tonumber(turns[1]), tonumber(turns[2]), tonumber(turns[3]), TURN_COUNT, time - TURN_MS, ARGV[18], turnFrom,
    turnTo, content, dropped
  )
  if unreadable then return {'damaged', KEYS[2], unreadable} end
  -- Rows of one id are listed: a snapshot may hold an older one than the session.
  local known, target = {}, staged or KEYS[2]
  for n = idFrom, idTo, 2 do
    local name = ID .. ARGV[n]
    local before = known[name]
    if before == nil and not (isNew and not staged) then before = redis.call('HGET', target, name) end
    known[name] = before and before .. ',' .. ARGV[n + 1] or ARGV[n + 1]
  end
  for name, rows in pairs(known) do
    content[#content + 1] = name
    content[#content + 1] = rows
  end
  -- Of a life that is over nothing stays.
  if isNew and not staged and size > 0 then
    local kept = {}
    for n = 1, #content, 2 do kept[content[n]] = true end
    for _, name in ipairs(redis.call('HKEYS', KEYS[2])) do
      if not kept[name] then dropped[#dropped + 1] = name end
    end
  end
end

-- Additions first. What was changed of the index is undone if a part of it fails.
if ARGV[13] == '1' then
  local next = nextPosition(tonumber(head[2]), head[3], ARGV[2])
  redis.call('HSET', KEYS[3], POSITION, next, REPLICA, ARGV[2])
  local fed = redis.pcall('ZADD', KEYS[4], next, member)
  if type(fed) == 'table' then return failed(KEYS[4], fed) end
end
local isMissing = ARGV[13] == '1' and not position and ARGV[5] ~= ''
for n = setFrom, setTo, 2 do
  if ARGV[n] ~= 'remove' then
    local index = (n - setFrom) / 2 + 1
    local added = redis.pcall('ZADD', KEYS[5 + index], ARGV[n + 1], member)
    if type(added) == 'table' then
      for undone = 1, index - 1 do
        if scores[undone] then
          redis.call('ZADD', KEYS[5 + undone], scores[undone], member)
        elseif ARGV[setFrom + 2 * (undone - 1)] ~= 'remove' then
          redis.call('ZREM', KEYS[5 + undone], member)
        end
      end
      return failed(KEYS[5 + index], added)
    end
    if added == 1 and ARGV[n] == 'touch' then isMissing = true end
  end
end
local function count(key, change)
  local name = COUNT .. string.sub(key, base + 1)
  -- One that is no number stays: lists and doctor find it.
  if redis.pcall('HINCRBY', KEYS[3], name, change) == 0 then redis.call('HDEL', KEYS[3], name) end
end
if ARGV[13] == '1' and not position and ARGV[5] == '' then count(KEYS[4], 1) end
for n = setFrom, setTo, 2 do
  local index = (n - setFrom) / 2 + 1
  if ARGV[n] == 'add' and not scores[index] then count(KEYS[5 + index], 1) end
  if ARGV[n] == 'remove' and scores[index] then count(KEYS[5 + index], -1) end
end
if ARGV[16] ~= 'keep' then
  if ARGV[16] ~= '' then redis.call('HSET', KEYS[5], member, ARGV[16]) end
  if entry and ARGV[16] == '' then count(KEYS[5], -1) elseif not entry and ARGV[16] ~= '' then count(KEYS[5], 1) end
end

local contentCount = size + spread('HSET', staged or KEYS[2], content)
local fieldCount = sizeOfRecord + spread('HSET', KEYS[1], fields)

-- Then removals, after which nothing of the same key is written.
contentCount = contentCount - spread('HDEL', KEYS[2], dropped)
if dropFrom < dropTo then contentCount = contentCount - dropRows(KEYS[2], dropFrom, dropTo) end
fieldCount = fieldCount - spread('HDEL', KEYS[1], removed)
for n = setFrom, setTo, 2 do
  if ARGV[n] == 'remove' then redis.call('ZREM', KEYS[6 + (n - setFrom) / 2], member) end
end
if entry and ARGV[16] == '' then redis.call('HDEL', KEYS[5], member) end
local function expire(key, when)
  if when == 'never' then
    redis.call('PERSIST', key)
  elseif when ~= 'keep' then
    redis.call('PEXPIREAT', key, when)
  end
end
if staged then
  expire(staged, ARGV[14])
  redis.call('RENAME', staged, KEYS[2])
elseif isLive then
  expire(KEYS[2], ARGV[14])
elseif size > 0 then
  redis.call('UNLINK', KEYS[2])
end
if staged then contentCount = redis.call('HLEN', KEYS[2]) elseif not isLive then contentCount = 0 end
-- Without the two fields of each commit that is remembered, and the two of each row: plain appends add those.
local ends = redis.call('HMGET', KEYS[1], NEXT, GIVEN_FIRST, GIVEN_NEXT, GENERATED_FIRST, GENERATED_NEXT)
local remembered = ends[3] - ends[2] + ends[5] - ends[4]
redis.call('HSET', KEYS[1], CONTENT_COUNT, contentCount - 2 * ends[1], FIELD_COUNT, fieldCount - 2 * remembered)
expire(KEYS[1], ARGV[15])
local isPublished = ARGV[13] ~= '1' or publish(ARGV[1], KEYS[1], head[4], time)
return {'ok', time, isPublished and '' or '1', isMissing and '1' or ''}
