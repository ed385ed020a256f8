-- Enters a session into the index of its partition as its record says, whatever the index has of it; or takes it out if nothing is left
-- of it. Counts of members are not touched: recount.lua comes behind it.
--
-- KEYS  1 head, 2 record, 3 session, 4 feed, 5 tombstones, 6 recent, 7 created, 8 ids, 9 ends, 10 entries, then the sets of its labels and
--       of its parent, then sets that it should not be in
-- ARGV  1 the session's member · 2, 3 version and revision that it was read at, '' for none · 4 its index entry, '' for none ·
--       5 how many sets of labels and parent · 6 the replication id of the server
-- Gives {'ok', what there is of the session, how much was changed}: 'live', 'tombstone', 'nothing'; 'ended' and 'unreadable' are left as
--       they are, and of 'contentless' the record is left; {'moved'} if it has been written to since it was read.

local member, last = ARGV[1], 10 + ARGV[5]
local stored = redis.pcall('HMGET', KEYS[2], VERSION, REVISION, CREATED, UPDATED, EXPIRES, DELETED)
local size = redis.pcall('HLEN', KEYS[3])
if stored.err then return {'ok', 'unreadable', 0} end
local version, revision, created, updated, expires, deleted = unpack(stored)
if (version or '') ~= ARGV[2] or (revision or '') ~= ARGV[3] then return {'moved'} end
local isLive = revision and created and updated and not deleted
if not isLive and not deleted then
  if redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then return {'ok', 'unreadable', 0} end
  local ends = redis.call('ZSCORE', KEYS[9], member)
  if ends and tonumber(ends) <= now() + EXPIRY_SLACK_MS then return {'ok', 'ended', 0} end
end

local changed = 0
local function enter(key, score) changed = changed + redis.call('ZADD', key, 'CH', score, member) end
local function leave(key) changed = changed + redis.call('ZREM', key, member) end

if (isLive or deleted) and not redis.call('ZSCORE', KEYS[4], member) then
  local head = redis.call('HMGET', KEYS[1], POSITION, REPLICA)
  local position = string.format('%.0f', nextPosition(tonumber(head[1] or 0), head[2], ARGV[6]))
  redis.call('HSET', KEYS[1], POSITION, position, REPLICA, ARGV[6])
  enter(KEYS[4], position)
end
if deleted then enter(KEYS[5], string.format('%.0f', deleted + TOMBSTONE_MS)) end
if isLive then
  enter(KEYS[6], updated)
  enter(KEYS[7], created)
  enter(KEYS[8], 0)
  if expires then enter(KEYS[9], expires) end
  for at = 11, last do enter(KEYS[at], updated) end
  if ARGV[4] ~= '' and redis.call('HGET', KEYS[10], member) ~= ARGV[4] then
    redis.call('HSET', KEYS[10], member, ARGV[4])
    changed = changed + 1
  end
end

-- What is removed comes last, each key once: in a slot that is being moved, a script cannot touch a key again that it has emptied.
if not deleted then leave(KEYS[5]) end
if not isLive then for at = 6, 8 do leave(KEYS[at]) end end
if not isLive or not expires then leave(KEYS[9]) end
if not isLive or ARGV[4] == '' then changed = changed + redis.call('HDEL', KEYS[10], member) end
for at = isLive and last + 1 or 11, #KEYS do leave(KEYS[at]) end
if not isLive and not deleted then leave(KEYS[4]) end

local hasContent = type(size) == 'number' and size > 0
local isOver = expires and tonumber(expires) <= now() + EXPIRY_SLACK_MS
if isLive and not hasContent and not isOver then return {'ok', 'contentless', changed} end
return {'ok', isLive and 'live' or deleted and 'tombstone' or 'nothing', changed}
