-- The most frequent append by itself, before all else of append.lua: one message, a generated id, a session that does not expire and
-- that nobody holds. One hash is read, and one is written. Whatever is not so goes on to append.lua, with nothing written.

if #ARGV == 7 and ARGV[3] == '' and ARGV[4] == '1' then
  local commit, message = 'C' .. ARGV[5], 'i' .. ARGV[6]
  local head = redis.call('HMGET', KEYS[1], 'r', 'e', 'n', 'u', 'x', 'h', 'v', 'ba', commit, message)
  if head[2] == '' and head[6] == '' and tonumber(head[7]) == FORMAT and not head[9] and not head[10] then
    local clock = redis.call('TIME')
    local time = clock[1] * 1000 + math.floor(clock[2] / 1000)
    local before, row = tonumber(head[1]), head[3]
    local revision = before + 1
    local remembered = revision - (head[8] or 0)
    if before >= tonumber(ARGV[2]) and time <= tonumber(head[5]) and remembered <= GENERATED_COUNT + FORGOTTEN_AT_ONCE then
      local stamp = revision .. ' ' .. time
      redis.call(
        'HSET', KEYS[1], 'm' .. row, stamp .. ' ' .. ARGV[7], message, row, commit, 'b' .. stamp,
        'b' .. revision, time .. ' ' .. ARGV[5], 'r', revision, 'n', row + 1, 'u', math.max(time, tonumber(head[4]))
      )
      -- When all is written: whoever may not publish has committed all the same.
      local told = redis.pcall('PUBLISH', ARGV[1], stamp .. ' 0 - ' .. KEYS[1])
      if type(told) == 'table' then return {time, before, 1, 1} end
      return {time, before, 1}
    end
  end
end
