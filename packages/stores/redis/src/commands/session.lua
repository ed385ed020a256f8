-- Reading a session. Prepended to the scripts that do.

-- Fields of a hash that may be more than Lua's stack holds.
local function fields(key, names)
  local found = {}
  for from = 1, #names, 1000 do
    local some = redis.call('HMGET', key, unpack(names, from, math.min(from + 999, #names)))
    for index = 1, #some do found[from + index - 1] = some[index] end
  end
  return found
end

local function readRecord(key)
  return redis.call(
    'HMGET', key, REVISION, VERSION, LIFE, CREATED, UPDATED, EXPIRES, RENEWS, NEXT, INDEX, HOLD, DELETED, FIELD_COUNT, CONTENT_COUNT,
    GIVEN_FIRST, GIVEN_NEXT, GIVEN_HORIZON, GENERATED_FIRST, GENERATED_NEXT, GENERATED_HORIZON, TOKEN
  )
end

-- A record with how many fields it and the content have and the line of finished turns behind it, as one text of lines, empty where there is
-- nothing: the caller reads that faster than lists.
local function linesOf(record, sizes, line)
  for n = 1, 20 do
    if not record[n] then record[n] = '' end
  end
  record[21], record[22] = sizes[1], sizes[2]
  record[23], record[24], record[25] = line[1] or '', line[2] or '', line[3] or ''
  return table.concat(record, '\n')
end

-- The small state of a session, the text of its unused rows, its parts (number, text, …): all of them, or those that are no metadata.
local function readState(key, isAll)
  local small = redis.call('HMGET', key, STATE, UNUSED, PARTS)
  if not small[3] or small[3] == '' then return small[1], small[2], {} end
  local numbers, names, parts = {}, {}, {}
  for number, mark in string.gmatch(small[3], '(%d+)(m?)') do
    if mark == '' or isAll then
      numbers[#numbers + 1] = number
      names[#names + 1] = PART .. number
    end
  end
  for index, text in ipairs(fields(key, names)) do
    parts[#parts + 1] = numbers[index]
    parts[#parts + 1] = text
  end
  return small[1], small[2], parts
end

-- First and next number of the line of finished turns, and its horizon.
local function turnLine(key)
  return redis.call('HMGET', key, TURNS_FIRST, TURNS_NEXT, TURNS_HORIZON)
end
