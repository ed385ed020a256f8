-- Reads some sessions of partitions in the order of a list. Writes nothing.
--
-- KEYS  of each partition: 1 head, 2 ends, 3 the set of the order (recent, created or ids), 4… sets that must have a session too, each by
--       last change: of labels, of a parent, and recent where another order asks for a last change
-- ARGV  1 order: updated, created or id · 2 asc or desc · 3 how many of each partition · 4 updated at or after, or '' · 5 how many keys a
--       partition has; then for each partition behind which score and member, or '' and ''
-- Gives for each partition {'ok', more, ended, text}: whether there are more, and whether sessions were left out that have ended; the text
--       has the score and member that was looked at last, and then member and score of what was found (BETWEEN_MEMBERS is between them: the
--       caller reads one text faster than a list). Or {'no-head'}; {'format', found}; {'damaged', set, members, members that it should
--       have}; {'type', key} where another program has written over a key.

local SCAN_LIMIT = 1000
-- A set of a label is ordered by last change: for other orders a small one is sorted here, and behind a large one that order is walked.
local SORT_LIMIT = 1000

local order, isAscending, wanted, since = ARGV[1], ARGV[2] == 'asc', tonumber(ARGV[3]), tonumber(ARGV[4])
local time = now()

-- Lua compares texts by the server's locale. Sets are ordered by bytes.
local function isBefore(a, b)
  for at = 1, math.min(#a, #b) do
    local x, y = string.byte(a, at), string.byte(b, at)
    if x ~= y then return x < y end
  end
  return #a < #b
end

-- The sets of the first partition as heads count them: they are the same in all.
local keyCount, sets, counts = tonumber(ARGV[5]), {}, {}
for at = 2, keyCount do
  sets[at] = suffixOf(KEYS[at], KEYS[1])
  counts[at - 1] = COUNT .. sets[at]
end

-- How far was looked, and what was found.
local function textOf(score, member, found)
  return table.concat({score, member, table.concat(found, BETWEEN_MEMBERS)}, BETWEEN_MEMBERS)
end

local function rangeOf(keys, afterScore, afterMember)
  local head, refusal = readHead(keys[1], unpack(counts))
  if refusal then return refusal end
  local cards = {}
  for at = 2, #keys do
    local card = redis.pcall('ZCARD', keys[at])
    if type(card) == 'table' then return {'type', sets[at]} end
    local expected = tonumber(head[at] or 0)
    if card ~= expected then return {'damaged', sets[at], card, expected} end
    cards[at] = card
  end

  -- Most lists begin at the newest and ask for nothing else, and most partitions have no session that ends.
  if #keys == 3 and cards[2] == 0 and afterScore == '' and not isAscending and not since then
    local newest = redis.call('ZRANGE', keys[3], 0, wanted - 1, 'REV', 'WITHSCORES')
    return {'ok', #newest < 2 * cards[3] and 1 or 0, 0, textOf(newest[#newest] or '', newest[#newest - 1] or '', newest)}
  end

  -- The rarest of the sets leads.
  local lead = 3
  for at = 4, #keys do
    if at == 4 or cards[at] < cards[lead] then lead = at end
  end
  local isSorted = lead ~= 3 and order ~= 'updated'
  if isSorted and cards[lead] > SORT_LIMIT then lead, isSorted = 3, false end

  local found, ended = {}, 0

  -- Which of some members belong to the list.
  local function listed(members)
    local isIn = {}
    for at = 1, #members do isIn[at] = true end
    for at = 4, #keys do
      if at ~= lead then
        local scores = redis.call('ZMSCORE', keys[at], unpack(members))
        for n = 1, #members do
          isIn[n] = isIn[n] and scores[n] and (not since or tonumber(scores[n]) >= since)
        end
      end
    end
    if cards[2] > 0 then
      local ends = redis.call('ZMSCORE', keys[2], unpack(members))
      for n = 1, #members do
        if ends[n] and tonumber(ends[n]) <= time then
          isIn[n] = false
          ended = 1
        end
      end
    end
    return isIn
  end

  -- How many of the leading set stand before a place, with the one that stands there or without.
  local function countBefore(score, member, isWithIt)
    local from = redis.call('ZCOUNT', keys[lead], '-inf', '(' .. score)
    local to = redis.call('ZCOUNT', keys[lead], '-inf', score)
    while from < to do
      local middle = math.floor((from + to) / 2)
      local one = redis.call('ZRANGE', keys[lead], middle, middle)[1]
      if isBefore(one, member) or (isWithIt and one == member) then from = middle + 1 else to = middle end
    end
    return from
  end

  local function walked()
    local rank = 0
    local bound = order == 'updated' and since
    if isAscending then
      if bound then rank = redis.call('ZCOUNT', keys[lead], '-inf', '(' .. ARGV[4]) end
      if afterScore ~= '' then rank = math.max(rank, countBefore(afterScore, afterMember, true)) end
    elseif afterScore ~= '' then
      rank = cards[lead] - countBefore(afterScore, afterMember, false)
    end
    local direction = not isAscending and {'REV'} or {}
    local size = #keys > 4 and math.min(4 * wanted, SCAN_LIMIT) or wanted
    local last = rank + SCAN_LIMIT
    local score, member = afterScore, afterMember
    while #found < 2 * wanted and rank < math.min(last, cards[lead]) do
      local chunk = redis.call('ZRANGE', keys[lead], rank, math.min(rank + size, last) - 1, 'WITHSCORES', unpack(direction))
      local members = {}
      for n = 1, #chunk, 2 do members[#members + 1] = chunk[n] end
      local isIn = listed(members)
      for n = 1, #members do
        if bound and not isAscending and tonumber(chunk[2 * n]) < bound then return 0, score, member end
        if #found == 2 * wanted then return 1, score, member end
        score, member = chunk[2 * n], members[n]
        if isIn[n] then
          found[#found + 1] = member
          found[#found + 1] = score
        end
      end
      rank = rank + #members
    end
    return rank < cards[lead] and 1 or 0, score, member
  end

  local function sorted()
    local members = redis.call('ZRANGEBYSCORE', keys[lead], since and ARGV[4] or '-inf', '+inf')
    if #members == 0 then return 0, '', '' end
    local isIn = listed(members)
    local scores = order == 'created' and redis.call('ZMSCORE', keys[3], unpack(members))
    local entries = {}
    for n = 1, #members do
      if isIn[n] then
        local score = scores and tonumber(scores[n]) or 0
        entries[#entries + 1] = {score, members[n]}
      end
    end
    local function precedes(a, b)
      if a[1] ~= b[1] then return (a[1] < b[1]) == isAscending end
      if a[2] == b[2] then return false end
      return isBefore(a[2], b[2]) == isAscending
    end
    table.sort(entries, precedes)
    local after = afterScore ~= '' and {tonumber(afterScore), afterMember}
    local score, member = afterScore, afterMember
    for _, entry in ipairs(entries) do
      if not after or precedes(after, entry) then
        if #found == 2 * wanted then return 1, score, member end
        score, member = string.format('%.0f', entry[1]), entry[2]
        found[#found + 1] = member
        found[#found + 1] = score
      end
    end
    return 0, score, member
  end

  local more, score, member
  if isSorted then more, score, member = sorted() else more, score, member = walked() end
  return {'ok', more, ended, textOf(score, member, found)}
end

local replies = {}
for first = 1, #KEYS, keyCount do
  local arg = 6 + 2 * #replies
  replies[#replies + 1] = rangeOf({unpack(KEYS, first, first + keyCount - 1)}, ARGV[arg], ARGV[arg + 1])
end
return replies
