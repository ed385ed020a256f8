-- What a session remembers: commits with ids of callers, commits with generated ids, finished turns. Prepended to the scripts that
-- remember. Each kind is a line of numbered entries "<time> <id>" (`c0`, `c1`, …), and a field for each id with what is remembered.

-- The time and the id of an entry; nothing where it cannot be read.
local function readMemory(entry)
  local time, id = string.match(entry or '', '^(%d+) (.*)$')
  return tonumber(time), id
end

-- The oldest entries of a line that may be forgotten, if there are enough of them: more than `count` and not younger than `before`.
-- Puts their fields onto `forgotten`. Returns the number of the oldest entry that is left, the horizon, and a field that cannot be read.
local function forget(key, mark, line, first, next, stored, horizon, count, before, forgotten)
  if next - first <= count + FORGET_STEP then return first, horizon end
  if not horizon then return first, horizon, line .. '.horizon' end
  -- Where many come within a day, the oldest is too young, and so are all others.
  local oldest = redis.call('HGET', key, line .. first)
  local oldestAt = readMemory(oldest)
  if not oldestAt then return first, horizon, line .. first end
  if oldestAt > before then return first, horizon end
  -- What this call adds is not stored yet.
  local last = math.min(next - count, first + 8 * FORGET_STEP, stored)
  local fields = {}
  for n = first, last - 1 do fields[#fields + 1] = line .. n end
  if #fields == 0 then return first, horizon end
  local entries = redis.call('HMGET', key, unpack(fields))
  for index, entry in ipairs(entries) do
    local at, id = readMemory(entry)
    if not at then return first, horizon, fields[index] end
    if at > before then break end
    forgotten[#forgotten + 1] = fields[index]
    forgotten[#forgotten + 1] = mark .. id
    if at > horizon then horizon = at end
    first = first + 1
  end
  return first, horizon
end

