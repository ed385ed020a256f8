-- Removes rows that no history holds any more.
--
-- KEYS  1 the session
-- ARGV  1 the incarnation, 2 the version of the small state that says which rows these are  3 its next version
--       4 the small state without them  5 how many other fields go, and their names; then for each row its number and its
--       message's id
-- Gives {'ok'}, or, with nothing removed, {'moved'}.

local head = redis.call('HMGET', KEYS[1], 'g', 'o')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then return {'moved'} end
local others = tonumber(ARGV[5])
local gone, names = {}, {}
for n = 1, others do gone[n] = ARGV[5 + n] end
local first = 6 + others
for n = first, #ARGV, 2 do names[#names + 1] = 'i' .. ARGV[n + 1] end
local known = #names == 0 and {} or redis.call('HMGET', KEYS[1], unpack(names))
local rows = {}
for n = 1, #names do
  local number = ARGV[first + 2 * (n - 1)]
  gone[#gone + 1] = 'm' .. number
  local left = {}
  for other in string.gmatch(rows[names[n]] or known[n] or '', '[^,]+') do
    if other ~= number then left[#left + 1] = other end
  end
  rows[names[n]] = table.concat(left, ',')
end
local fields = {'z', ARGV[4], 'o', ARGV[3]}
for name, listed in pairs(rows) do
  if listed == '' then
    gone[#gone + 1] = name
  else
    fields[#fields + 1] = name
    fields[#fields + 1] = listed
  end
end
if #gone > 0 then spread('HDEL', KEYS[1], gone) end
spread('HSET', KEYS[1], fields)
return {'ok'}
