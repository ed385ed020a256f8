-- Creates the head of a partition, unless there is one.
--
-- KEYS  1 head
-- ARGV  1 how many partitions the store has  2 the id of the store  3 the server's replication id
-- Gives {format, partitions, store} of the head as it is now.

if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call(
    'HSET', KEYS[1], FORMAT, FORMAT_VERSION, PARTITIONS, ARGV[1], STORE, ARGV[2], POSITION, 0, REPLICA, ARGV[3], REMOVED, 0
  )
end
return redis.call('HMGET', KEYS[1], FORMAT, PARTITIONS, STORE)
