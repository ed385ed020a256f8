-- How much a session remembers. Prepended to all scripts.

-- As in the protocol: GIVEN_COMMITS and FINISHED_TURNS, GENERATED_COMMITS.
local GIVEN_COUNT = 256
local GIVEN_MS = 86400000
local GENERATED_COUNT = 4096

-- Forgetting is done for some at once: most commits have nothing to do with it, and none waits long for it. At most for as many as one
-- call can bring, or they would become more and more.
local FORGOTTEN_AT_ONCE = 32
local MOST_FORGOTTEN = 512
-- A revision may jump, when a session is imported: what was before it is not looked for.
local FARTHEST = 20000
