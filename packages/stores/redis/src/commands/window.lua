-- What a session remembers, in a hash: memories under `<mark><id>`, and their order under `<line><number>` as
-- "<time> <id>". Prepended to the scripts that remember.

-- Whole numbers as text. Lua would write a time as 1.7e+12.
local function whole(number)
  return string.format('%.0f', number)
end

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Runs a command on a list of arguments that may be longer than Lua's stack. `width`: what belongs together.
local function spread(command, key, list, width)
  local step = 4000 - 4000 % width
  for from = 1, #list, step do
    redis.call(command, key, unpack(list, from, math.min(from + step - 1, #list)))
  end
end

-- Takes the oldest memories off a line while there are more than `count` and they are not younger than `before`: at
-- most `most` of them. Their fields go onto `gone`. Returns the number of the oldest that is left, and the horizon.
local function forget(key, mark, line, first, last, horizon, count, before, most, gone)
  while last - first > count and most > 0 do
    local step = math.min(most, last - first - count, 100)
    local fields = {}
    for n = first, first + step - 1 do fields[#fields + 1] = line .. n end
    local entries = redis.call('HMGET', key, unpack(fields))
    for index = 1, step do
      local entry = entries[index]
      if entry then
        local space = string.find(entry, ' ', 1, true)
        local at = tonumber(string.sub(entry, 1, space - 1))
        if at > before then return first, horizon end
        gone[#gone + 1] = fields[index]
        gone[#gone + 1] = mark .. string.sub(entry, space + 1)
        if at > horizon then horizon = at end
      end
      first = first + 1
      most = most - 1
    end
  end
  return first, horizon
end
