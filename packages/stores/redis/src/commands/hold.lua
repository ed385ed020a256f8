-- Holds: a commit that takes long to decide asks others to stay away. Prepended to the scripts that respect them.

-- For how many more milliseconds another instance asks for that; `nil` where none does. A hold is a request and no lock: one that cannot be
-- read, or that is longer than a hold can be, is nobody's.
local function heldFor(hold, instance, time)
  local till, holder = string.match(hold or '', '^(%d+) (.+)$')
  local rest = till and tonumber(till) - time or 0
  if rest > 0 and rest <= MAX_HOLD_MS and holder ~= instance then return rest end
end

