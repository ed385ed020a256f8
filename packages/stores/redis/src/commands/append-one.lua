-- The most frequent append by itself, before all else of append.lua: one message, a generated id, a session that does not expire and
-- that nobody holds. One hash is read, and one is written. Whatever is not so goes on to append.lua, with nothing written.
-- Numbers stay texts where they can: to write one costs more than to look a field up. Times have 13 digits until the year 2286.

if #ARGV == 7 and ARGV[3] == '' and ARGV[4] == '1' then
  local key, commit, message = KEYS[1], 'C' .. ARGV[5], 'i' .. ARGV[6]
  local head = redis.call('HMGET', key, 'r', 'e', 'n', 'u', 'x', 'h', 'v', 'ba', commit, message)
  if head[2] == '' and head[6] == '' and head[7] == FORMAT_TEXT and not head[9] and not head[10] then
    local clock = redis.call('TIME')
    local time = clock[1] .. string.sub('00000' .. clock[2], -6, -4)
    local before, row = head[1], head[3]
    local remembered = before - (head[8] or 0)
    if
      before - ARGV[2] >= 0 and remembered < GENERATED_COUNT + FORGOTTEN_AT_ONCE
      and #head[5] == 13 and time <= head[5] and #head[4] == 13 and time >= head[4]
    then
      local revision = string.format('%d', before + 1)
      local stamp = revision .. ' ' .. time
      redis.call(
        'HSET', key, 'm' .. row, stamp .. ' ' .. ARGV[7], message, row, commit, 'b' .. stamp,
        'b' .. revision, time .. ' ' .. ARGV[5], 'r', revision, 'n', string.format('%d', row + 1), 'u', time
      )
      -- When all is written: whoever may not publish has committed all the same.
      local told = redis.pcall('PUBLISH', ARGV[1], stamp .. ' 0 - ' .. key)
      if type(told) == 'table' then return {tonumber(time), tonumber(before), 1, 1} end
      return {tonumber(time), tonumber(before), 1}
    end
  end
end
