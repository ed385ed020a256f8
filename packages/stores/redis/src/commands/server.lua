-- Prepended to every script.

-- The server's time in milliseconds. Lua prints whole numbers below 10^14 as they are.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Runs a command on a list of arguments that may be longer than Lua's stack. Returns how many fields were added or deleted.
local function spread(command, key, list)
  local changed = 0
  for from = 1, #list, 4000 do
    changed = changed + redis.call(command, key, unpack(list, from, math.min(from + 3999, #list)))
  end
  return changed
end

-- Tells watchers what a session is at, when all is written: "<revision> <updated> <deleted> <key of its record>". `watched`: until when there
-- are any. A commit without watchers need not pay for it; one whose user may not publish has committed all the same. Gives `false` if
-- that was so.
local function publish(channel, key, watched, time)
  local till = tonumber(watched)
  if not till or till < time then return true end
  local record = redis.call('HMGET', key, REVISION, UPDATED, DELETED)
  local message = table.concat({record[1] or '', record[2] or '', record[3] or '', key}, ' ')
  return type(redis.pcall('PUBLISH', channel, message)) == 'number'
end

-- The next position of the feed. It jumps where another server gave out the last one: that may have given out some that are lost.
local function nextPosition(position, replica, present)
  if replica ~= present then position = position + POSITION_JUMP end
  return position + 1
end

-- What every script on the index of a partition begins with: some fields of its head after the format. Or what it gives instead: {'no-head'},
-- {'format', found}, {'type', 'head'} where another program has written over it.
local function readHead(key, ...)
  local head = redis.pcall('HMGET', key, FORMAT, ...)
  if head.err then return nil, {'type', 'head'} end
  if not head[1] then return nil, {'no-head'} end
  if tonumber(head[1]) ~= FORMAT_VERSION then return nil, {'format', head[1]} end
  return head
end

-- A key as the head of its partition counts it.
local function suffixOf(key, head)
  return string.sub(key, #head - #'head' + 1)
end
