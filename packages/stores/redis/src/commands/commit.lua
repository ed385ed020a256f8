-- Writes what a commit has come to, if the session is still what the commit was decided on. All or nothing: it looks
-- at everything first.
--
-- KEYS  1 the session  2 its window  3 (if there is one) rows that were written ahead: they become the session
-- ARGV  1 the format that the caller knows  2 the channel of changes  3 the session's id  4 who asks, for holds
--       5 how many given commits and finished turns are remembered  6 and for how many milliseconds
--       7 how many generated ones
--       8 the incarnation that it was decided on, '' where there was no session  9 the revision, of the session or of
--         what is remembered of it, '' for neither  10 the version of the small state
--       11 when the index was told of the session, '' if it need not be  12 for how long that counts
--       13 'live' or 'ended'  14 the revision now  15 when  16 '1' if watchers are told
--       17 '1' if nothing that is there stays  18 when the session expires: 'keep', '' for never, or a time
--       19 the same for its window  20 '1' if given commits that are remembered do not stay  21 their horizon then
--       22 the horizon of finished turns in a new life  23 when the session expires, '-' for never: for watchers
--       then lists, each with its length first: fields of the session (name, value); fields to delete (name); rows that grow
--       (name, text); ids of messages (id, row); fields of the window (name, value); fields of it to delete (name); given
--       commits, generated commits, finished turns (id, time, memory)
-- Gives {'ok', time}, or, with nothing written:
--       {'moved'} the session is another one by now  {'newer', format}  {'held', milliseconds}
--       {'late'} the index may have forgotten the session  {'unstaged'} the rows that were written ahead are gone

local at = 24
local function list(width)
  local length = tonumber(ARGV[at]) * width
  local values = {}
  for n = 1, length do values[n] = ARGV[at + n] end
  at = at + length + 1
  return values
end
local fields, dropped, lines, ids = list(2), list(1), list(2), list(2)
local windowFields, windowDropped = list(2), list(1)
local given, generated, turns = list(3), list(3), list(3)

local head = redis.call('HMGET', KEYS[1], 'g', 'r', 'o', 'e', 'h', 'ta', 'tb', 'th')
local window = redis.call('HMGET', KEYS[2], 'v', 'r', 'aa', 'ab', 'ah', 'ba', 'bb', 'bh')
local time = now()
if window[1] and tonumber(window[1]) > tonumber(ARGV[1]) then return {'newer', window[1]} end
if (head[1] or '') ~= ARGV[8] or (window[2] or '') ~= ARGV[9] then return {'moved'} end
if head[1] then
  if head[2] ~= ARGV[9] or head[3] ~= ARGV[10] then return {'moved'} end
  local expiry = tonumber(head[4])
  if expiry and expiry <= time then return {'moved'} end
  if head[5] and head[5] ~= '' then
    local space = string.find(head[5], ' ', 1, true)
    local rest = tonumber(string.sub(head[5], 1, space - 1)) - time
    if rest > 0 and string.sub(head[5], space + 1) ~= ARGV[4] then return {'held', whole(rest)} end
  end
end
if ARGV[11] ~= '' and time - tonumber(ARGV[11]) > tonumber(ARGV[12]) then return {'late'} end
if KEYS[3] and redis.call('EXISTS', KEYS[3]) == 0 then return {'unstaged'} end

-- Memories go to the end of their line; the oldest of it are forgotten.
local function remember(key, mark, line, first, last, horizon, entries, count, before, fields, gone)
  if #entries == 0 then return end
  for n = 1, #entries, 3 do
    fields[#fields + 1] = mark .. entries[n]
    fields[#fields + 1] = entries[n + 2]
    fields[#fields + 1] = line .. last
    fields[#fields + 1] = entries[n + 1] .. ' ' .. entries[n]
    last = last + 1
  end
  first, horizon = forget(key, mark, line, first, last, horizon, count, before, 2 * #entries, gone)
  for _, entry in ipairs({line .. 'a', first, line .. 'b', last, line .. 'h', whole(horizon)}) do
    fields[#fields + 1] = entry
  end
end

local keeps = ARGV[17] ~= '1'
local gone = {}
local kept = tonumber(ARGV[5])
local since = time - tonumber(ARGV[6])
local oldest, newest, horizon = tonumber(window[3] or 0), tonumber(window[4] or 0), tonumber(window[5] or 0)
if ARGV[20] == '1' then
  oldest, horizon = newest, tonumber(ARGV[21])
  for _, entry in ipairs({'aa', oldest, 'ah', ARGV[21]}) do windowFields[#windowFields + 1] = entry end
end
remember(KEYS[2], 'C', 'a', oldest, newest, horizon, given, kept, since, windowFields, gone)
remember(KEYS[2], 'C', 'b', tonumber(window[6] or 0), tonumber(window[7] or 0), tonumber(window[8] or 0), generated, tonumber(ARGV[7]), time, windowFields, gone)
if ARGV[13] == 'live' then
  local first, last, horizon = 0, 0, tonumber(ARGV[22])
  if keeps then first, last, horizon = tonumber(head[6] or 0), tonumber(head[7] or 0), tonumber(head[8] or 0) end
  remember(KEYS[1], 'T', 't', first, last, horizon, turns, kept, since, fields, dropped)
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
if #windowDropped > 0 then spread('HDEL', KEYS[2], windowDropped, 1) end
spread('HSET', KEYS[2], windowFields, 2)
if #gone > 0 then spread('HDEL', KEYS[2], gone, 1) end
expire(KEYS[2], ARGV[19])
if ARGV[13] == 'live' then
  if #dropped > 0 then spread('HDEL', KEYS[1], dropped, 1) end
  spread('HSET', KEYS[1], fields, 2)
  redis.call('HSET', KEYS[1], 'h', '')
  expire(KEYS[1], ARGV[18])
end
if ARGV[16] == '1' then
  local ended = ARGV[13] == 'live' and '0' or '1'
  redis.call('PUBLISH', ARGV[2], ARGV[14] .. ' ' .. ARGV[15] .. ' ' .. ended .. ' ' .. ARGV[23] .. ' ' .. ARGV[3])
end
return {'ok', whole(time)}
