-- Takes sessions that have ended out of the index: their records become tombstones, and watchers hear of their end. Who has been
-- written to since they were named is left as it is.
--
-- KEYS  1 head, 2 feed, 3 tombstones, 4 recent, 5 created, 6 ids, 7 ends, 8 entries; then of each session its record, its content, and
--       the sets of its labels and its parent
-- ARGV  1 replication id of the server · 2 the channel of wake-ups · 3 a nonce; then of each session its member, its end, its
--       index entry or '', and how many sets there are
-- Gives {'ok', how many were buried}; {'no-head'}; {'format', found}; {'type', key}.

local function suffix(key) return suffixOf(key, KEYS[1]) end

local head, refusal = readHead(KEYS[1], POSITION, REPLICA, REMOVED)
if refusal then return refusal end

-- Every type is checked before the first write: a script does not undo what it has done.
local isChecked = {}
local function foreign(key, command)
  if isChecked[key] then return end
  isChecked[key] = true
  local size = redis.pcall(command, key)
  return type(size) == 'table'
end
for at = 2, 7 do
  if foreign(KEYS[at], 'ZCARD') then return {'type', suffix(KEYS[at])} end
end
if foreign(KEYS[8], 'HLEN') then return {'type', suffix(KEYS[8])} end

local time, removals, leaving = now(), {}, {}
local function leave(key, member)
  if not removals[key] then
    removals[key] = {}
    leaving[#leaving + 1] = key
  end
  table.insert(removals[key], member)
end

local ended, counts = {}, {}
local key, arg = 9, 4
while ARGV[arg] do
  local member, ends, entry, sets = ARGV[arg], tonumber(ARGV[arg + 1]), ARGV[arg + 2], tonumber(ARGV[arg + 3])
  local record, session = KEYS[key], KEYS[key + 1]
  for at = key + 2, key + 1 + sets do
    if foreign(KEYS[at], 'ZCARD') then return {'type', suffix(KEYS[at])} end
  end
  local stored = redis.pcall('HMGET', record, REVISION, DELETED, EXPIRES, GIVEN_FIRST, GIVEN_NEXT, GENERATED_FIRST, GENERATED_NEXT)
  -- A record of another type, and one that cannot be read or says something else, are damage of that session. They are left for doctor.
  local isReadable = not stored.err and not stored[2]
  for at = 1, 7 do
    if at ~= 2 and stored[1] and (stored[at] or at ~= 3) then isReadable = isReadable and tonumber(stored[at]) end
  end
  local expires = isReadable and tonumber(stored[3] or '')
  local isOver = isReadable and ends <= time and tonumber(redis.call('ZSCORE', KEYS[7], member)) == ends
    and (redis.call('HGET', KEYS[8], member) or '') == entry
  local size = redis.pcall('HLEN', session)
  -- Content goes by itself at its end, unless somebody has kept the key. What another program has written there stays.
  if isOver and (size == 0 or type(size) == 'number' and expires) and (not expires or expires <= time) then
    ended[#ended + 1] = {member = member, ends = ends, record = record, session = session, revision = stored[1]}
    for at = 4, 7 do leave(KEYS[at], member) end
    for at = key + 2, key + 1 + sets do leave(KEYS[at], member) end
    if entry ~= '' then leave(KEYS[8], member) end
  end
  key, arg = key + 2 + sets, arg + 4
end
if #ended == 0 then return {'ok', 0} end

local position, replica, removed = tonumber(head[2] or 0), head[3], tonumber(head[4] or 0)

local counted = {}
local function count(set, by)
  local name = COUNT .. suffix(set)
  if not counts[name] then
    counts[name] = tonumber(redis.call('HGET', KEYS[1], name)) or 0
    counted[#counted + 1] = name
  end
  counts[name] = counts[name] + by
end

-- What is added comes first and what is removed last, each set once: in a slot that is being moved, a script that has emptied a key
-- cannot touch it again.
for _, one in ipairs(ended) do
  local before = redis.call('ZSCORE', KEYS[2], one.member)
  if one.revision then
    position, replica = nextPosition(position, replica, ARGV[1]), ARGV[1]
    if not before then count(KEYS[2], 1) end
    if not redis.call('ZSCORE', KEYS[3], one.member) then count(KEYS[3], 1) end
    one.position = position
  elseif before then
    -- Its tombstone is over, too: whoever has a cursor from before that has to begin anew.
    removed = math.max(removed, tonumber(before))
    count(KEYS[2], -1)
    leave(KEYS[2], one.member)
  end
end
for _, key in ipairs(leaving) do
  if key ~= KEYS[2] then count(key, -#removals[key]) end
end
local values, zeros = {}, {}
for _, name in ipairs(counted) do
  if counts[name] > 0 then
    values[#values + 1] = name
    values[#values + 1] = string.format('%.0f', counts[name])
  else
    zeros[#zeros + 1] = name
  end
end
redis.call('HSET', KEYS[1], POSITION, string.format('%.0f', position), REPLICA, replica or '', REMOVED,
  string.format('%.0f', removed), unpack(values))
for _, one in ipairs(ended) do
  if one.revision then
    redis.call('ZADD', KEYS[2], string.format('%.0f', one.position), one.member)
    redis.call('ZADD', KEYS[3], string.format('%.0f', one.ends + TOMBSTONE_MS), one.member)
    redis.call('HSET', one.record, REVISION, string.format('%.0f', one.revision + 1), DELETED,
      string.format('%.0f', one.ends), VERSION, ARGV[3])
    redis.call('HDEL', one.record, TOKEN, INDEX, HOLD, EXPIRES, RENEWS)
    -- Without the two fields of each commit that is remembered.
    local line = redis.call('HMGET', one.record, GIVEN_FIRST, GIVEN_NEXT, GENERATED_FIRST, GENERATED_NEXT)
    local remembered = line[2] - line[1] + line[4] - line[3]
    redis.call('HSET', one.record, FIELD_COUNT, redis.call('HLEN', one.record) - 2 * remembered)
  end
end
if #zeros > 0 then redis.call('HDEL', KEYS[1], unpack(zeros)) end
for _, one in ipairs(ended) do redis.call('UNLINK', one.session) end
for _, key in ipairs(leaving) do
  redis.call(key == KEYS[8] and 'HDEL' or 'ZREM', key, unpack(removals[key]))
end
publish(ARGV[2], ended[1].record, '+inf', 0)
return {'ok', #ended}
