-- Reads what the index of a partition has of a session, and what its record says, all of one moment. Writes nothing.
--
-- KEYS  1 record, 2 session, 3 entries, 4 feed, 5 tombstones, 6 recent, 7 created, 8 ids, 9 ends, 10… sets of labels and of a parent
-- ARGV  1 the session's member
-- Gives {time, how many fields the session has, {version, revision, created, updated, expires, deleted, index entry} of the record, entry,
--       {score in each of the sets from 4 on}}; the record is '' where it is of another type, and such a
--       session has no fields.

local time = redis.call('TIME')
local size = redis.pcall('HLEN', KEYS[2])
local record = redis.pcall('HMGET', KEYS[1], VERSION, REVISION, CREATED, UPDATED, EXPIRES, DELETED, INDEX)
local scores = {}
for at = 4, #KEYS do scores[at - 3] = redis.call('ZSCORE', KEYS[at], ARGV[1]) end
return {
  time[1] * 1000 + math.floor(time[2] / 1000), type(size) == 'number' and size or 0, record.err and '' or record,
  redis.call('HGET', KEYS[3], ARGV[1]), scores,
}
