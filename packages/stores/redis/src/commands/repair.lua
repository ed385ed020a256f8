-- Enters a session into the index of its partition as its record says, whatever the index has of it now; or takes it out if nothing is
-- left of it. Counts of members are not touched: recount.lua comes behind it.
--
-- KEYS  1 head, 2 record, 3 session, 4 feed, 5 tombstones, 6 recent, 7 created, 8 ids, 9 ends, 10 entries, then the sets of its labels and
--       of its parent, then sets that it should not be in
-- ARGV  1 the session's member · 2, 3 version and revision that it was read at, '' for none · 4 its index entry, '' for none ·
--       5 how many sets of labels and parent · 6 the replication id of the server
-- Gives {'ok', what the index has of it now: live, tombstone, nothing, or damaged where it was left as it is};
--       {'moved'} if the session has been written to since it was read.

local member, last = ARGV[1], 10 + ARGV[5]
local record = redis.call('HMGET', KEYS[2], VERSION, REVISION, CREATED, UPDATED, EXPIRES, DELETED)
if (record[1] or '') ~= ARGV[2] or (record[2] or '') ~= ARGV[3] then return {'moved'} end
local isTombstone, isRecorded = record[6], record[2] and record[3] and record[4]
if not isTombstone and not isRecorded and redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then return {'ok', 'damaged'} end

if (isTombstone or isRecorded) and not redis.call('ZSCORE', KEYS[4], member) then
  local head = redis.call('HMGET', KEYS[1], POSITION, REPLICA)
  local position = tonumber(head[1] or 0) + 1
  if head[2] ~= ARGV[6] then position = position + POSITION_JUMP end
  redis.call('HSET', KEYS[1], POSITION, string.format('%.0f', position), REPLICA, ARGV[6])
  redis.call('ZADD', KEYS[4], string.format('%.0f', position), member)
end
if isTombstone then
  redis.call('ZADD', KEYS[5], string.format('%.0f', record[6] + TOMBSTONE_MS), member)
elseif isRecorded then
  redis.call('ZADD', KEYS[6], record[4], member)
  redis.call('ZADD', KEYS[7], record[3], member)
  redis.call('ZADD', KEYS[8], 0, member)
  if record[5] then redis.call('ZADD', KEYS[9], record[5], member) end
  for at = 11, last do redis.call('ZADD', KEYS[at], record[4], member) end
  if ARGV[4] ~= '' then redis.call('HSET', KEYS[10], member, ARGV[4]) end
end

-- What is removed comes last, each key once.
local isLive = isRecorded and not isTombstone
local function leave(key) redis.call('ZREM', key, member) end
if not isTombstone then leave(KEYS[5]) end
if not isLive then for at = 6, 8 do leave(KEYS[at]) end end
if not isLive or not record[5] then leave(KEYS[9]) end
if not isLive or ARGV[4] == '' then redis.call('HDEL', KEYS[10], member) end
for at = isLive and last + 1 or 11, #KEYS do leave(KEYS[at]) end
if not isLive and not isTombstone then leave(KEYS[4]) end
return {'ok', isLive and 'live' or isTombstone and 'tombstone' or 'nothing'}
