-- The most frequent appends by themselves, before all else of append.lua: one request with a generated id and a few messages, a
-- session that does not expire and that nobody holds. One hash is read, and one is written. Whatever is not so goes on to
-- append.lua, with nothing written.
-- Few numbers, tables and new texts: each costs more than to look a field up. Times have 13 digits until the year 2286.

local MOST_MESSAGES = 8

-- The next revision, "<revision> <time>", and the time, if the session is such: `head` is r, e, n, u, x, h, v, ba.
local function stamps(head)
  if head[2] ~= '' or head[6] ~= '' or head[7] ~= FORMAT_TEXT then return end
  local before, clock = head[1], redis.call('TIME')
  local micros = clock[2]
  if #micros < 6 then micros = string.rep('0', 6 - #micros) .. micros end
  local time = clock[1] .. string.sub(micros, 1, 3)
  if
    before - ARGV[2] >= 0 and before - (head[8] or 0) < GENERATED_COUNT + FORGOTTEN_AT_ONCE
    and #head[5] == 13 and time <= head[5] and #head[4] == 13 and time >= head[4]
  then
    local revision = before + 1 .. ''
    return revision, revision .. ' ' .. time, time
  end
end

-- When all is written: whoever may not publish has committed all the same.
local function published(stamp, row)
  local told = redis.pcall('PUBLISH', ARGV[1], stamp .. ' 0 - ' .. KEYS[1])
  if type(told) == 'table' then return stamp .. ' ' .. row .. ' 1 untold' end
  return stamp .. ' ' .. row
end

local count = ARGV[3] == '' and tonumber(ARGV[4])
if count == 1 and #ARGV == 7 then
  local commit, message = 'C' .. ARGV[5], 'i' .. ARGV[6]
  local head = redis.call('HMGET', KEYS[1], 'r', 'e', 'n', 'u', 'x', 'h', 'v', 'ba', commit, message)
  local row = head[3]
  if not head[9] and not head[10] then
    local revision, stamp, time = stamps(head)
    if revision then
      redis.call(
        'HSET', KEYS[1], 'm' .. row, stamp .. ' ' .. ARGV[7], message, row, commit, 'b' .. stamp,
        'b' .. revision, time .. ' ' .. ARGV[5], 'r', revision, 'n', row + 1 .. '', 'u', time
      )
      return published(stamp, row)
    end
  end
elseif count and count <= MOST_MESSAGES and #ARGV == 5 + 2 * count then
  local names = {'r', 'e', 'n', 'u', 'x', 'h', 'v', 'ba', 'C' .. ARGV[5]}
  local isNew, seen = true, {}
  for n = 1, count do
    local name = 'i' .. ARGV[4 + 2 * n]
    isNew, seen[name], names[9 + n] = isNew and not seen[name], true, name
  end
  local head = redis.call('HMGET', KEYS[1], unpack(names))
  for n = 9, 9 + count do isNew = isNew and not head[n] end
  if isNew then
    local revision, stamp, time = stamps(head)
    if revision then
      local row = head[3]
      local fields = {'r', revision, 'u', time, names[9], 'b' .. stamp, 'b' .. revision, time .. ' ' .. ARGV[5]}
      local number = row
      for n = 1, count do
        local at = 5 + 4 * n
        fields[at], fields[at + 1] = 'm' .. number, stamp .. ' ' .. ARGV[5 + 2 * n]
        fields[at + 2], fields[at + 3] = names[9 + n], number
        number = number + 1 .. ''
      end
      redis.call('HSET', KEYS[1], 'n', number, unpack(fields))
      return published(stamp, row)
    end
  end
end
