-- Tells the index of a session, before the session itself is written: it may say too much, never too little.
--
-- KEYS  1 the version of the format  2 the entries  3 sessions by their last change  4 by creation  5 by id  6 by their end
--       7 what no commit has followed yet
--       8… the labels that it has or will have, and the parent that it was forked from: by their last change
-- ARGV  1 the format that the caller knows  2 the session's place  3 an upper bound of its last change  4 its creation, '' if
--       it ends  5 its end, '' for none  6 '1' if there is no such session yet  7 how long an entry counts that somebody
--       else has made, in milliseconds  8 a text that was never used before
--       9… what the keys from 8 on stand for
-- Gives {'ok', time, the bound that counts now, the entry}, or {'newer', format}.

local format = redis.call('GET', KEYS[1])
if format and tonumber(format) > tonumber(ARGV[1]) then return {'newer', format} end
local time = now()
local place, bound = ARGV[2], tonumber(ARGV[3])
local before = redis.call('HGET', KEYS[2], place)
local score = tonumber(redis.call('ZSCORE', KEYS[3], place) or nil)

-- Another may be about to create the same session: its bound counts too. An old entry is that of a former session.
if score and score > bound then
  local made = before and tonumber(string.match(before, '^%d+')) or 0
  if ARGV[6] ~= '1' or made > time - tonumber(ARGV[7]) then bound = score end
end
local labels, listed = {}, {}
for label in string.gmatch(before or '', '\n([^\n]+)') do
  labels[#labels + 1] = label
  listed[label] = true
end
for n = 9, #ARGV do
  if not listed[ARGV[n]] then labels[#labels + 1] = ARGV[n] end
end
table.insert(labels, 1, time .. ' ' .. ARGV[8])

if not format then redis.call('SET', KEYS[1], ARGV[1]) end
local entry = table.concat(labels, '\n')
redis.call('HSET', KEYS[2], place, entry)
local text = string.format('%.17g', bound)
redis.call('ZADD', KEYS[3], text, place)
if ARGV[4] ~= '' then redis.call('ZADD', KEYS[4], ARGV[4], place) end
redis.call('ZADD', KEYS[5], 0, place)
if ARGV[5] ~= '' then redis.call('ZADD', KEYS[6], ARGV[5], place) end
redis.call('ZADD', KEYS[7], time, place)
for n = 8, #KEYS do redis.call('ZADD', KEYS[n], text, place) end
return {'ok', time, text, entry}
