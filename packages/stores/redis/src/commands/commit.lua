-- Writes what a commit has come to, if the session is still what the commit was decided on. All or nothing: it looks
-- at everything first.
--
-- KEYS  1 the session  2 its window  3 (if there is one) rows that were written ahead: they become the session
-- ARGV  1 the channel of changes  2 who asks, for holds
--       3 the incarnation that it was decided on, '' where there was no session  4 the revision, of the session or of
--         what is remembered of it, '' for neither  5 the version of the small state
--       6 when the index was told of the session, '' if it need not be  7 for how long that counts
--       8 'live' or 'ended'  9 the revision now  10 when  11 '1' if watchers are told
--       12 '1' if nothing that is there stays  13 when the session expires: 'keep', '' for never, or a time
--       14 the same for its window  15 '1' if given commits that are remembered do not stay  16 their horizon then
--       17 the horizon of finished turns in a new life  18 when the session expires, '-' for never: for watchers
--       then lists, each with its length first: fields of the session (name, value); fields to delete (name); rows that grow
--       (name, text); ids of messages (id, row); fields of the window (name, value); fields of it to delete (name); given
--       commits, finished turns (id, time, memory)
-- Gives {'ok', time}, and a 1 behind it if watchers could not be told. Or, with nothing written:
--       {'moved'} the session is another one by now  {'newer', format}  {'held', milliseconds}
--       {'late'} the index may have forgotten the session  {'unstaged'} the rows that were written ahead are gone

local at = 19
local function list(width)
  local length = ARGV[at] * width
  local values = {}
  for n = 1, length do values[n] = ARGV[at + n] end
  at = at + length + 1
  return values
end
local fields, dropped, lines, ids = list(2), list(1), list(2), list(2)
local windowFields, windowDropped = list(2), list(1)
local given, turns = list(3), list(3)

local head = redis.call('HMGET', KEYS[1], 'g', 'r', 'o', 'e', 'h', 'ta', 'tb', 'th', 'ba', 'v')
local window = redis.call('HMGET', KEYS[2], 'v', 'r', 'aa', 'ab', 'ah', 'ba')
local time = now()
if window[1] and tonumber(window[1]) > FORMAT then return {'newer', window[1]} end
if head[10] and tonumber(head[10]) > FORMAT then return {'newer', head[10]} end
if (head[1] or '') ~= ARGV[3] or (head[2] or window[2] or '') ~= ARGV[4] then return {'moved'} end
if head[1] then
  if head[3] ~= ARGV[5] then return {'moved'} end
  if head[4] ~= '' and tonumber(head[4]) <= time then return {'moved'} end
  if head[5] ~= '' then
    local space = string.find(head[5], ' ', 1, true)
    local rest = string.sub(head[5], 1, space - 1) - time
    if rest > 0 and string.sub(head[5], space + 1) ~= ARGV[2] then return {'held', rest} end
  end
end
if ARGV[6] ~= '' and time - ARGV[6] > tonumber(ARGV[7]) then return {'late'} end
if KEYS[3] and redis.call('EXISTS', KEYS[3]) == 0 then return {'unstaged'} end

-- Memories go to the end of their line; the oldest of it are forgotten.
local function remember(key, mark, line, first, last, horizon, entries, fields, gone)
  if #entries == 0 then return end
  local added = last
  for n = 1, #entries, 3 do
    fields[#fields + 1] = mark .. entries[n]
    fields[#fields + 1] = entries[n + 2]
    fields[#fields + 1] = line .. last
    fields[#fields + 1] = entries[n + 1] .. ' ' .. entries[n]
    last = last + 1
  end
  fields[#fields + 1] = line .. 'b'
  fields[#fields + 1] = last
  forgetCounted(key, mark, line, first, added, last, horizon, time, fields, gone)
end

local keeps = ARGV[12] ~= '1'
local gone = {}
local oldest, newest, horizon = tonumber(window[3] or 0), tonumber(window[4] or 0), tonumber(window[5] or 0)
if ARGV[15] == '1' then
  oldest, horizon = newest, tonumber(ARGV[16])
  for _, entry in ipairs({'aa', oldest, 'ah', ARGV[16]}) do windowFields[#windowFields + 1] = entry end
end
remember(KEYS[2], 'C', 'a', oldest, newest, horizon, given, windowFields, gone)
-- What the session keeps itself stays there if it does. Else it is moved.
local wasOwn = head[1] and head[4] == ''
local isOwn = ARGV[8] == 'live' and ARGV[18] == '-'
if wasOwn and isOwn and keeps then
  forgetGenerated(KEYS[1], tonumber(head[9] or 0), tonumber(ARGV[9]), fields, dropped)
elseif wasOwn then
  moveGenerated(KEYS[1], tonumber(head[9] or 0), tonumber(head[2]), windowFields, dropped)
end
if window[6] or not (isOwn or wasOwn) then
  forgetGenerated(KEYS[2], tonumber(window[6] or 0), tonumber(ARGV[9]), windowFields, gone)
end
if ARGV[8] == 'live' then
  local first, last, turnHorizon = 0, 0, tonumber(ARGV[17])
  if keeps then first, last, turnHorizon = tonumber(head[6]), tonumber(head[7]), tonumber(head[8]) end
  remember(KEYS[1], 'T', 't', first, last, turnHorizon, turns, fields, dropped)
end

-- Rows of one id are listed: a snapshot may hold an older one than the session.
if #ids > 0 then
  local names = {}
  for n = 1, #ids, 2 do names[#names + 1] = 'i' .. ids[n] end
  local known = {}
  if keeps then
    for from = 1, #names, 4000 do
      local some = redis.call('HMGET', KEYS[1], unpack(names, from, math.min(from + 3999, #names)))
      for n = 1, #some do
        if some[n] then known[names[from + n - 1]] = some[n] end
      end
    end
  end
  for n = 1, #names do
    local before = known[names[n]]
    known[names[n]] = before and before .. ',' .. ids[2 * n] or ids[2 * n]
  end
  for name, rows in pairs(known) do
    fields[#fields + 1] = name
    fields[#fields + 1] = rows
  end
end
local grown = {}
for n = 1, #lines, 2 do
  local before = grown[lines[n]] or redis.call('HGET', KEYS[1], lines[n])
  if not before then return {'moved'} end
  grown[lines[n]] = before .. '\n' .. lines[n + 1]
end
for name, text in pairs(grown) do
  fields[#fields + 1] = name
  fields[#fields + 1] = text
end

if KEYS[3] then
  redis.call('RENAME', KEYS[3], KEYS[1])
  redis.call('PERSIST', KEYS[1])
elseif not keeps and head[1] then
  redis.call('UNLINK', KEYS[1])
end
local function expire(key, when)
  if when == '' then
    redis.call('PERSIST', key)
  elseif when ~= 'keep' then
    redis.call('PEXPIREAT', key, when)
  end
end
if #windowDropped > 0 then spread('HDEL', KEYS[2], windowDropped) end
spread('HSET', KEYS[2], windowFields)
if #gone > 0 then spread('HDEL', KEYS[2], gone) end
expire(KEYS[2], ARGV[14])
if ARGV[8] == 'live' then
  if #dropped > 0 then spread('HDEL', KEYS[1], dropped) end
  spread('HSET', KEYS[1], fields)
  redis.call('HSET', KEYS[1], 'h', '')
  expire(KEYS[1], ARGV[13])
end
if ARGV[11] == '1' then
  local ended = ARGV[8] == 'live' and '0' or '1'
  if not tell(ARGV[1], ARGV[9], ARGV[10], ended, ARGV[18]) then return {'ok', time, 1} end
end
return {'ok', time}
