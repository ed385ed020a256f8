-- Reads of one session what is asked for, all of one moment.
--
-- KEYS  1 record  2 session  3 head  and, where the session may not be there, 4 entries  5 ids  6 ends
-- ARGV  1 the version of the state that the caller has, '' for none  2 the session's member
--       3 the caller's instance, to hold the session against the commits of others, or ''  4 for how many milliseconds
--       5 how many of the last rows  6 from which row on: the caller has those before it
--       7 which parts, if the version is another: 'all', or 'few' for those that are no metadata
--       8 '1' for all given commits that are remembered  9 '1' for all finished turns
--       10 the revision that the caller has, if it asks for nothing but what was appended since, or ''
--       11 how many rows, and their numbers; how many fields of the session, and their names; the same of the record
-- Gives the time, if nothing has changed since the revision of ARGV 10. If messages were appended and nothing else: {'grown', time, revision, updated,
--       next, given: first, next, horizon, generated: first, next, horizon, expires, the last rows …}. Otherwise
--       {time, format, record and more as `linesOf` tells, state, unused rows, parts (number, text, …), the first of the last rows, the last
--       rows, the rows, the session's fields, the record's fields, given commits, finished turns, {entry, score in ids, end, 'incomplete'
--       where ids has lost members} of what the index has}. Rows may be fewer than asked for, if they are large. {'damaged', key, field} if a
--       memory cannot be read; {'foreign', key} if another program has written over a key of the index.

local MAX_BYTES = 4194304

local function rows(names)
  local found, bytes = {}, 0
  for from = 1, #names, 50 do
    local some = redis.call('HMGET', KEYS[2], unpack(names, from, math.min(from + 49, #names)))
    for index = 1, #some do
      found[#found + 1] = some[index]
      if some[index] then bytes = bytes + #some[index] end
    end
    if bytes > MAX_BYTES then break end
  end
  return found
end

-- What is remembered, and a field that cannot be read. A line that cannot be as long as it says is for the caller to call damaged.
local function remembered(key, mark, line, first, next, size)
  local from, to = tonumber(first or 0), tonumber(next or 0)
  if not from or not to or to - from > size then return {} end
  local names, marks = {}, {}
  for n = from, to - 1 do names[#names + 1] = line .. n end
  for index, entry in ipairs(fields(key, names)) do
    local _, id = readMemory(entry)
    if not id then return {}, names[index] end
    marks[#marks + 1] = mark .. id
  end
  return fields(key, marks)
end

local time = now()

-- The last rows, as far as they are asked for and the caller does not have them.
local function lastRows(next)
  local first, names = math.max(0, next - tonumber(ARGV[5]), tonumber(ARGV[6])), {}
  for n = first, next - 1 do names[#names + 1] = ROW .. n end
  return first, names
end

-- Most reads are of a session that the caller knows, and to which at most a few messages were added. They need little of it.
local MAX_APPENDED = 50
local format = redis.pcall('HGET', KEYS[3], FORMAT)
if type(format) == 'table' then return {'foreign', KEYS[3]} end
if ARGV[10] ~= '' and format == FORMAT_TEXT then
  local found = redis.call(
    'HMGET', KEYS[1], VERSION, REVISION, UPDATED, NEXT, GIVEN_FIRST, GIVEN_NEXT, GIVEN_HORIZON, GENERATED_FIRST, GENERATED_NEXT,
    GENERATED_HORIZON, FIELD_COUNT, CONTENT_COUNT, EXPIRES
  )
  local isWhole = found[1] == ARGV[1] and (not found[13] or found[13] == '' or tonumber(found[13]))
  for n = 2, 12 do isWhole = isWhole and tonumber(found[n]) end
  if isWhole and found[11] + 2 * (found[6] - found[5] + found[9] - found[8]) == redis.call('HLEN', KEYS[1])
    and found[12] + 2 * found[4] == redis.call('HLEN', KEYS[2]) then
    if found[2] == ARGV[10] then return time end
    local _, names = lastRows(found[4])
    if #names <= MAX_APPENDED then
      return {
        'grown', time, found[2], found[3], found[4], found[5], found[6], found[7], found[8], found[9], found[10], found[13], unpack(rows(names))
      }
    end
  end
end

local record = readRecord(KEYS[1])
local sizes = {redis.call('HLEN', KEYS[1]), redis.call('HLEN', KEYS[2])}
local isThere = sizes[2] > 0

if isThere and record[1] and ARGV[3] ~= '' then
  if not heldFor(record[10], ARGV[3], time) then redis.call('HSET', KEYS[1], HOLD, time + tonumber(ARGV[4]) .. ' ' .. ARGV[3]) end
end

local state, unused, parts = false, false, {}
if isThere and record[2] ~= ARGV[1] then state, unused, parts = readState(KEYS[2], ARGV[7] == 'all') end

local next = isThere and tonumber(record[8]) or 0
local first, last = lastRows(next)

local at = 11
local function names(mark)
  local list = {}
  local count = tonumber(ARGV[at])
  for n = 1, count do list[n] = mark .. ARGV[at + n] end
  at = at + count + 1
  return list
end
local rowNames, sessionNames, recordNames = names(ROW), names(''), names('')

local line = turnLine(KEYS[2])
local index = {false, false, false, false}
if KEYS[4] and not isThere then
  for n = 1, 3 do
    index[n] = redis.pcall(n == 1 and 'HGET' or 'ZSCORE', KEYS[3 + n], ARGV[2])
    if type(index[n]) == 'table' then return {'foreign', KEYS[3 + n]} end
  end
  -- A set of ids that has lost members cannot tell that a session was never there.
  local expected = tonumber(redis.call('HGET', KEYS[3], COUNT .. 'ids') or '0')
  if not expected or redis.call('ZCARD', KEYS[5]) < expected then index[4] = 'incomplete' end
end
local given, turns, unreadable = {}, {}, nil
if ARGV[8] == '1' then given, unreadable = remembered(KEYS[1], COMMIT, GIVEN, record[14], record[15], sizes[1]) end
if unreadable then return {'damaged', KEYS[1], unreadable} end
if ARGV[9] == '1' then turns, unreadable = remembered(KEYS[2], TURN, TURNS, line[1], line[2], sizes[2]) end
if unreadable then return {'damaged', KEYS[2], unreadable} end
return {
  time, format, linesOf(record, sizes, line), state, unused, parts, first, rows(last), rows(rowNames),
  fields(KEYS[2], sessionNames), fields(KEYS[1], recordNames), given, turns, index,
}
