-- Calls every command that the store needs, once, on a key that is gone afterwards: what the server's user may not do is found out
-- before anything is stored, and not in the middle of a commit.
--
-- KEYS  1 a key that nobody uses
-- ARGV  1 the channel of changes
-- Gives the commands that were refused, each with the server's words: {name, words, …}.

local key = KEYS[1]
local calls = {
  {'TIME'}, {'EXISTS', key}, {'HGET', key, 'f'}, {'HMGET', key, 'f'}, {'HEXISTS', key, 'f'}, {'HSET', key, 'f', 1}, {'HINCRBY', key, 'f', 1},
  {'HLEN', key}, {'HKEYS', key}, {'HDEL', key, 'f'}, {'RENAME', key, key}, {'PERSIST', key}, {'PEXPIRE', key, 1}, {'PEXPIREAT', key, 1},
  {'ZADD', key, 0, 'm'}, {'PEXPIRE', key, 1}, {'ZSCORE', key, 'm'}, {'ZMSCORE', key, 'm'}, {'ZCARD', key}, {'ZCOUNT', key, 0, 0},
  {'ZRANGE', key, 0, 0}, {'ZRANGEBYSCORE', key, 0, 0}, {'ZREM', key, 'm'}, {'UNLINK', key}, {'PUBLISH', ARGV[1], ''},
}
local refused = {}
for _, call in ipairs(calls) do
  local reply = redis.pcall(unpack(call))
  if type(reply) == 'table' and reply.err then
    refused[#refused + 1] = call[1]
    refused[#refused + 1] = reply.err
  end
end
return refused
