-- Reads of one session what is asked for, all of one moment.
--
-- KEYS  1 the session  2 its window
-- ARGV  1 the version of the small state that the caller has, '' for none  2 the version of its parts
--       3 who asks: nobody else may commit for a moment, '' for no such wish  4 for how many milliseconds
--       5 how many of the last rows  6 from which row on: the caller has those before it
--       7 from which of the remembered given commits on, -1 for none  8 the same for finished turns
--       9 how many rows, and their numbers; how many fields of the session, and their names; the same of the window
-- Gives {time, head, small state, parts, window, the first of the last rows, the last rows, the rows, the session's fields,
--       the window's fields, given commits, finished turns}. Rows may be fewer than asked for, if they are large.

local MOST_BYTES = 4194304
local MOST_MEMORIES = 1000

local function rows(names)
  local found, bytes = {}, 0
  for from = 1, #names, 50 do
    local some = redis.call('HMGET', KEYS[1], unpack(names, from, math.min(from + 49, #names)))
    for index = 1, #some do
      found[#found + 1] = some[index]
      if some[index] then bytes = bytes + #some[index] end
    end
    if bytes > MOST_BYTES then break end
  end
  return found
end

-- Any number of fields: Lua can put about 8 000 onto its stack.
local function fields(key, names)
  local found = {}
  for from = 1, #names, 1000 do
    local some = redis.call('HMGET', key, unpack(names, from, math.min(from + 999, #names)))
    for index = 1, #some do found[from + index - 1] = some[index] end
  end
  return found
end

local function memories(key, mark, line, from, last)
  local found = {}
  local names = {}
  for n = from, math.min(last - 1, from + MOST_MEMORIES - 1) do names[#names + 1] = line .. n end
  if #names == 0 then return found end
  local marks = {}
  for _, entry in ipairs(redis.call('HMGET', key, unpack(names))) do
    if entry then marks[#marks + 1] = mark .. string.sub(entry, string.find(entry, ' ', 1, true) + 1) end
  end
  if #marks == 0 then return found end
  return redis.call('HMGET', key, unpack(marks))
end

local time = now()
local head = redis.call('HMGET', KEYS[1], 'r', 'g', 'e', 'k', 'n', 'u', 'x', 'o', 'p', 'h', 'ta', 'tb', 'th', 'bh', 'l', 'v')
local window = redis.call('HMGET', KEYS[2], 'v', 'r', 's', 'e', 'd', 'g', 'aa', 'ab', 'ah', 'bh', 'ba', 'bb')
local stamp = time
local exists = head[1]
-- A session says its revision itself, and keeps generated commits as long as it does not expire.
if exists and window[1] then
  window[2] = head[1]
  if head[14] and tonumber(head[14]) > tonumber(window[10] or 0) then window[10] = head[14] end
end

if exists and ARGV[3] ~= '' then
  local taken = false
  if head[10] and head[10] ~= '' then
    local space = string.find(head[10], ' ', 1, true)
    taken = tonumber(string.sub(head[10], 1, space - 1)) > time and string.sub(head[10], space + 1) ~= ARGV[3]
  end
  if not taken then redis.call('HSET', KEYS[1], 'h', time + tonumber(ARGV[4]) .. ' ' .. ARGV[3]) end
end

local parts = redis.call('HMGET', KEYS[1], 'z', 'y')
local state = head[8] ~= ARGV[1] and parts[1] or false
local rest = head[9] ~= ARGV[2] and parts[2] or false

local next = tonumber(head[5])
local first = next and math.max(0, next - tonumber(ARGV[5]), tonumber(ARGV[6])) or 0
local last = {}
for n = first, (next or 0) - 1 do last[#last + 1] = 'm' .. n end

local at = 9
local function names(mark)
  local list = {}
  local count = tonumber(ARGV[at])
  for n = 1, count do list[n] = mark .. ARGV[at + n] end
  at = at + count + 1
  return list
end
local asked = names('m')
local session = names('')
local remembered = names('')

local function lookups()
  if #remembered == 0 then return {} end
  local found = fields(KEYS[2], remembered)
  if exists then
    local own = fields(KEYS[1], remembered)
    for n = 1, #remembered do found[n] = found[n] or own[n] end
  end
  return found
end

local given, turns = tonumber(ARGV[7]), tonumber(ARGV[8])
return {
  stamp, exists and head or false, state, rest, window, first, rows(last), rows(asked),
  fields(KEYS[1], session),
  lookups(),
  given < 0 and {} or memories(KEYS[2], 'C', 'a', math.max(given, tonumber(window[7] or 0)), tonumber(window[8] or 0)),
  turns < 0 and {} or memories(KEYS[1], 'T', 't', math.max(turns, tonumber(head[11] or 0)), tonumber(head[12] or 0)),
}
