/** What the engine does in one piece. Times are the engine's own, so that the clocks of replicas do not matter. */

/** Which life of the engine this is, how long it has lasted, and its time in milliseconds. */
const HERE = `
local info = redis.call('INFO', 'server')
local run = string.match(info, 'run_id:(%w+)')
local uptime = tonumber(string.match(info, 'uptime_in_seconds:(%d+)')) * 1000
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

/**
 * A turn: appends its changes if the caller knows all others, and returns those that it does not know.
 * KEYS: head, log. ARGV: the caller's epoch and last entry, changes, who it is, for how long it reserves the next append, how
 * many entries it takes.
 */
export const TURN = `${HERE}
local head = redis.call('HMGET', KEYS[1], 'epoch', 'run', 'seq', 'from', 'upto', 'holder', 'until', 'next', 'nextfor', 'imagebytes')
local epoch, seq, mine, me, wants = head[1], tonumber(head[3] or 0), tonumber(ARGV[2]), ARGV[4], tonumber(ARGV[5])
if not epoch or head[2] ~= run then return {'lost'} end
if (ARGV[1] ~= epoch and not (ARGV[1] == head[4] and mine <= tonumber(head[5]))) or mine > seq then return {'other'} end
local holder, ends = head[6], tonumber(head[7] or 0)
if holder and (ends < now or ends > now + 60000) then holder = false end
local function reserve()
  if wants == 0 then return 0 end
  if not holder or holder == me then
    redis.call('HSET', KEYS[1], 'holder', me, 'until', string.format('%d', now + wants))
    return 1
  end
  if not head[8] then redis.call('HSET', KEYS[1], 'next', me, 'nextfor', ARGV[5]) end
  return 0
end
if mine < seq then
  local found = redis.call('XRANGE', KEYS[2], string.format('%d-0', mine + 1), '+', 'COUNT', ARGV[6])
  if #found == 0 or found[1][1] ~= string.format('%d-0', mine + 1) then return {'image'} end
  local reply = {'behind', epoch, seq, reserve()}
  local size = 0
  for _, entry in ipairs(found) do
    reply[#reply + 1] = entry[2][2]
    size = size + #entry[2][2]
    -- A longer answer could take longer than anyone waits for one.
    if size > 8 * 1024 * 1024 then break end
  end
  return reply
end
if ARGV[3] == '' then return {'current', epoch, seq, reserve()} end
if holder and holder ~= me then return {'busy', epoch, seq, reserve()} end
redis.call('XADD', KEYS[2], string.format('%d-0', seq + 1), 'c', ARGV[3])
redis.call('HSET', KEYS[1], 'seq', string.format('%d', seq + 1))
local bytes = redis.call('HINCRBY', KEYS[1], 'bytes', #ARGV[3])
if holder then redis.call('HDEL', KEYS[1], 'holder', 'until') end
if head[8] then
  redis.call('HDEL', KEYS[1], 'next', 'nextfor')
  if head[8] ~= me then
    redis.call('HSET', KEYS[1], 'holder', head[8], 'until', string.format('%d', now + tonumber(head[9])))
  end
end
return {'kept', epoch, seq + 1, 0, tostring(bytes), head[10] or '0'}
`;

/** Gives a reservation back. KEYS: head. ARGV: who it is. */
export const RELEASE = `
if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then redis.call('HDEL', KEYS[1], 'holder', 'until') end
return 1
`;

/**
 * After the engine has lost its memory, or was started anew: who knows most says so here. KEYS: head, log, back. ARGV: who it is, the number of its
 * epoch (0: it knows nothing), its last entry, for how long others are waited for: unknown ones, and those that were there
 * before; and who these are.
 */
export const ANNOUNCE = `${HERE}
local head = redis.call('HMGET', KEYS[1], 'epoch', 'run', 'seq', 'n', 'damaged')
if head[1] and head[2] == run then return {'going'} end
local me, settle, patience = ARGV[1], tonumber(ARGV[4]), tonumber(ARGV[5])
local since = tonumber(redis.call('HGET', KEYS[3], 'since') or 0)
if redis.call('HGET', KEYS[3], 'run') ~= run or since > now then
  redis.call('DEL', KEYS[3])
  since = now
  redis.call('HSET', KEYS[3], 'run', run, 'since', string.format('%d', now))
end
redis.call('HSET', KEYS[3], 'p:' .. me, ARGV[2] .. ':' .. ARGV[3] .. ':' .. string.format('%d', now))
for at = 6, #ARGV do redis.call('HSETNX', KEYS[3], 'p:' .. ARGV[at], '?') end
redis.call('PEXPIRE', KEYS[3], 60000)
local has = head[1] and not head[5]
local best, bestN, bestSeq, missing = '', 0, 0, false
if has then bestN, bestSeq = tonumber(head[4]), tonumber(head[3]) end
local all = redis.call('HGETALL', KEYS[3])
for at = 1, #all, 2 do
  local who = string.match(all[at], '^p:(.*)')
  if who and all[at + 1] == '?' then missing = true
  elseif who then
    local n, seq, seen = string.match(all[at + 1], '(%d+):(%d+):(%d+)')
    n, seq = tonumber(n), tonumber(seq)
    if now - tonumber(seen) < patience then
      if n > bestN or (n == bestN and seq > bestSeq) or
        (n == bestN and seq == bestSeq and not has and (best == '' or who < best)) then
        best, bestN, bestSeq = who, n, seq
      end
    end
  end
end
local waited = now - since
if missing and waited < patience then return {'wait'} end
-- Whoever knows nothing leaves those that may know something the time to say so.
if bestN == 0 and (waited < settle / 2 or (uptime < settle and waited < settle)) then return {'wait'} end
if best == '' then
  local n = tonumber(head[4]) + 1
  redis.call('HSET', KEYS[1], 'run', run, 'n', n, 'epoch', n .. '-' .. string.sub(run, 1, 12), 'from', head[1], 'upto', head[3])
  redis.call('HDEL', KEYS[1], 'holder', 'until', 'next', 'nextfor')
  redis.call('DEL', KEYS[3])
  return {'going'}
end
return best == me and {'put-back', run} or {'wait'}
`;

/** Makes an image what all begin with, under a new epoch. KEYS: head, log, back, image. ARGV: run, then fields of the head. */
export const BEGIN = `${HERE}
local head = redis.call('HMGET', KEYS[1], 'epoch', 'run')
if run ~= ARGV[1] or (head[1] and head[2] == run) then return 'late' end
if redis.call('EXISTS', KEYS[4]) == 0 then return 'late' end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'run', run, 'image', KEYS[4], 'bytes', 0, unpack(ARGV, 2))
redis.call('PERSIST', KEYS[4])
return 'done'
`;

/** Asks who writes the next image. KEYS: head. ARGV: epoch, who it is, for how long. */
export const CLAIM = `${HERE}
local head = redis.call('HMGET', KEYS[1], 'epoch', 'run', 'writer', 'writes')
if head[1] ~= ARGV[1] or head[2] ~= run then return 0 end
local ends = tonumber(head[4] or 0)
if head[3] and head[3] ~= ARGV[2] and ends > now and ends < now + 600000 then return 0 end
redis.call('HSET', KEYS[1], 'writer', ARGV[2], 'writes', string.format('%d', now + tonumber(ARGV[3])))
return 1
`;

/** Makes an image the beginning, and drops what it covers. KEYS: head, log, image. ARGV: epoch, its last entry, chunks, bytes of the log then, its own bytes, who it is. */
export const REPLACE_IMAGE = `${HERE}
local head = redis.call('HMGET', KEYS[1], 'epoch', 'run', 'image', 'imageseq', 'writer')
if head[1] ~= ARGV[1] or head[2] ~= run or head[5] ~= ARGV[6] then return '' end
if tonumber(head[4]) >= tonumber(ARGV[2]) or redis.call('EXISTS', KEYS[3]) == 0 then return '' end
redis.call('PERSIST', KEYS[3])
redis.call('HSET', KEYS[1], 'image', KEYS[3], 'imageseq', ARGV[2], 'chunks', ARGV[3], 'imagebytes', ARGV[5])
redis.call('HINCRBY', KEYS[1], 'bytes', '-' .. ARGV[4])
redis.call('HDEL', KEYS[1], 'writer', 'writes')
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%d-0', tonumber(ARGV[2]) + 1))
return head[3]
`;

/** Says that what the engine holds has holes, so that whoever knows most puts it back. KEYS: head. ARGV: epoch, image, its last entry. */
export const DAMAGED = `
local head = redis.call('HMGET', KEYS[1], 'epoch', 'image', 'imageseq')
if head[1] == ARGV[1] and head[2] == ARGV[2] and head[3] == ARGV[3] then
  redis.call('HSET', KEYS[1], 'run', '', 'damaged', 1)
end
return 1
`;

/** Says that a replica lives; returns all that do. KEYS: members. ARGV: who it is, for how long it counts. */
export const STAY = `
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', tonumber(time[1]) - tonumber(ARGV[2]))
return redis.call('ZRANGE', KEYS[1], 0, -1)
`;
