-- Removing rows. Prepended to the scripts that do.

-- Removes rows with the extensions of drafts in them, and returns how many fields went. ARGV from `from` to `to`: for each row its number and the id of its message.
local function dropRows(key, from, to)
  local removed, changed = {}, {}
  for n = from, to, 2 do
    local number, name = ARGV[n], ID .. ARGV[n + 1]
    removed[#removed + 1] = ROW .. number
    local extension = 0
    while redis.call('HEXISTS', key, EXTENSION .. number .. '.' .. extension) == 1 do
      removed[#removed + 1] = EXTENSION .. number .. '.' .. extension
      extension = extension + 1
    end
    local listed = changed[name] or redis.call('HGET', key, name) or ''
    local kept = {}
    for row in string.gmatch(listed, '%d+') do
      if row ~= number then kept[#kept + 1] = row end
    end
    changed[name] = table.concat(kept, ',')
  end
  local fields = {}
  for name, listed in pairs(changed) do
    if listed == '' then
      removed[#removed + 1] = name
    else
      fields[#fields + 1] = name
      fields[#fields + 1] = listed
    end
  end
  if #fields > 0 then spread('HSET', key, fields) end
  return spread('HDEL', key, removed)
end
