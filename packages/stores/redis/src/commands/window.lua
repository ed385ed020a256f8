-- What a session remembers, in a hash. Prepended to the scripts that remember.
-- Commits with generated ids are in the session's own hash as long as it does not expire: a plain append then writes one hash. Of
-- a session that expires they are in its window, and when a session ends or gets an end they are moved there.
--   C<id>        a commit: 'a' and its memory as JSON if a caller chose the id, else 'b<revision> <time>'
--   a<number>    the order of the former, "<time> <id>"; aa: the oldest number, ab: the next one, ah: the horizon
--   b<revision>  the order of the latter, "<time> <id>", with further ids that were written with it behind line breaks;
--                ba: the oldest revision that may be there, bh: the horizon
-- In the session itself T<id>, t<number>, ta, tb, th are the same for finished turns.

-- Lua writes whole numbers below 10^14 as they are: revisions, rows and times.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Runs a command on a list of arguments that may be longer than Lua's stack.
local function spread(command, key, list)
  if #list <= 4000 then return redis.call(command, key, unpack(list)) end
  for from = 1, #list, 4000 do
    redis.call(command, key, unpack(list, from, math.min(from + 3999, #list)))
  end
end

-- Tells watchers of a change, when all is written: whoever may not publish has committed all the same, and is told that.
local function tell(channel, revision, time, ended, expiry)
  local message = revision .. ' ' .. time .. ' ' .. ended .. ' ' .. expiry .. ' ' .. KEYS[1]
  local told = redis.pcall('PUBLISH', channel, message)
  return type(told) == 'number'
end

-- Takes the oldest memories off a line, up to and without the number `to`, as long as they are not younger than `before`.
-- Their fields go onto `gone`. Returns the number of the oldest that is left, and the horizon.
local function forget(key, mark, line, first, to, horizon, before, gone)
  while first < to do
    local fields = {}
    for n = first, math.min(to, first + 500) - 1 do fields[#fields + 1] = line .. n end
    local entries = redis.call('HMGET', key, unpack(fields))
    for index = 1, #fields do
      local entry = entries[index]
      if entry then
        local space = string.find(entry, ' ', 1, true)
        local at = tonumber(string.sub(entry, 1, space - 1))
        if at > before then return first, horizon end
        gone[#gone + 1] = fields[index]
        if line == 'b' and string.find(entry, '\n', space, true) then
          for id in string.gmatch(string.sub(entry, space + 1), '[^\n]+') do gone[#gone + 1] = mark .. id end
        else
          gone[#gone + 1] = mark .. string.sub(entry, space + 1)
        end
        if at > horizon then horizon = at end
      end
      first = first + 1
    end
  end
  return first, horizon
end

-- Forgets generated commits, if there are enough of them: `fields` are to be set, `gone` to be deleted.
local function forgetGenerated(key, oldest, revision, fields, gone)
  if revision - oldest <= GENERATED_COUNT + FORGOTTEN_AT_ONCE then return end
  local first = math.max(oldest, revision - FARTHEST)
  local horizon = tonumber(redis.call('HGET', key, 'bh') or 0)
  first, horizon = forget(key, 'C', 'b', first, revision - GENERATED_COUNT, horizon, math.huge, gone)
  fields[#fields + 1] = 'ba'
  fields[#fields + 1] = first
  fields[#fields + 1] = 'bh'
  fields[#fields + 1] = horizon
end

-- Puts the generated commits that a session keeps itself, of revisions from `first` to `last`, onto `fields` of its window. What
-- they were under goes onto `gone`.
local function moveGenerated(key, first, last, fields, gone)
  local names = {}
  for from = math.max(first, last - FARTHEST), last, 500 do
    local lines = {}
    for n = from, math.min(last, from + 499) do lines[#lines + 1] = 'b' .. n end
    for index, entry in ipairs(redis.call('HMGET', key, unpack(lines))) do
      if entry then
        fields[#fields + 1] = lines[index]
        fields[#fields + 1] = entry
        gone[#gone + 1] = lines[index]
        for id in string.gmatch(string.sub(entry, string.find(entry, ' ', 1, true) + 1), '[^\n]+') do
          names[#names + 1] = 'C' .. id
        end
      end
    end
  end
  for from = 1, #names, 1000 do
    local some = redis.call('HMGET', key, unpack(names, from, math.min(from + 999, #names)))
    for index, memory in ipairs(some) do
      if memory then
        fields[#fields + 1] = names[from + index - 1]
        fields[#fields + 1] = memory
        gone[#gone + 1] = names[from + index - 1]
      end
    end
  end
  fields[#fields + 1] = 'ba'
  fields[#fields + 1] = first
  local horizon = redis.call('HGET', key, 'bh')
  if horizon then
    fields[#fields + 1] = 'bh'
    fields[#fields + 1] = horizon
  end
end

-- The same for a line that is counted: given commits, finished turns. From `added` on it is not written yet.
local function forgetCounted(key, mark, line, first, added, last, horizon, time, fields, gone)
  if last - first <= GIVEN_COUNT + FORGOTTEN_AT_ONCE then return end
  -- Where many come within a day, the oldest is too young, and so are all others.
  local oldest = redis.call('HGET', key, line .. first)
  if oldest and tonumber(string.match(oldest, '^%d+')) > time - GIVEN_MS then return end
  local to = math.min(last - GIVEN_COUNT, first + MOST_FORGOTTEN, added)
  first, horizon = forget(key, mark, line, first, to, horizon, time - GIVEN_MS, gone)
  fields[#fields + 1] = line .. 'a'
  fields[#fields + 1] = first
  fields[#fields + 1] = line .. 'h'
  fields[#fields + 1] = horizon
end
