import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

import { NODE_ROLES } from '../../kernel/rules/placement.ts';
import type { ClusterView, Member } from './ports.ts';
import type { RedisClient } from './redis.ts';

/** Time without an announcement, by Redis' clock, after which a node is in no view. */
export const UNSEEN_MS = 3_000;
/** Time limit of a Redis answer. */
const PATIENCE_MS = 1_000;
/** Highest version: every part of the cluster counts exactly up to it. */
const HIGHEST_VERSION = 2 ** 52;

const member = z.object({
  nodeId: z.string().min(1).max(200),
  incarnation: z.guid(),
  host: z.string().min(1).max(255),
  port: z.int().min(1).max(65_535),
  role: z.enum(NODE_ROLES),
  protocol: z.int().min(0),
  build: z.string().max(200),
  startedAt: z.number(),
});

const answer = z.union([
  z.tuple([z.int().min(-1).max(HIGHEST_VERSION)]),
  z.tuple([z.int().min(0).max(HIGHEST_VERSION), z.array(z.string())]),
]);

/**
 * Keys: members, when each was seen, version. Arguments: the version that the node knows, the channel, `all` when it
 * sends everything it knows, and the version of its view. Lost or damaged data is repaired by such a node only;
 * otherwise it is requested from it.
 */
const BEGIN = `
local known = tonumber(ARGV[1])
local channel = ARGV[2]
local all = ARGV[3] == 'all'
local own = tonumber(ARGV[4])
local kinds = { 'hash', 'zset', 'string' }
for i, kind in ipairs(kinds) do
  local found = redis.call('TYPE', KEYS[i]).ok
  if found ~= kind and found ~= 'none' then
    if not all then return { -1 } end
    redis.call('DEL', KEYS[i])
  end
end
local version = tonumber(redis.call('GET', KEYS[3]) or '0')
if not version or not (version >= 0 and version <= ${HIGHEST_VERSION} and version % 1 == 0) then version = 0 end
local function become(number)
  version = number
  redis.call('SET', KEYS[3], string.format('%.0f', version))
  redis.call('PUBLISH', channel, string.format('%.0f', version))
end
local function grow()
  become(math.max(version, known, own) + 1)
end`;

/**
 * Announces a node (none for an empty id), and reads the members. Arguments from the fifth: milliseconds, node id,
 * member, and all that it knows, if sent. A view made by a node itself may have a higher version, which then becomes
 * everybody's.
 */
const ANNOUNCE = `${BEGIN}
if not all and (version < known or redis.call('HLEN', KEYS[1]) ~= redis.call('ZCARD', KEYS[2])) then return { -1 } end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local changed = all
for i = 8, #ARGV, 2 do
  redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1])
  redis.call('ZADD', KEYS[2], 'NX', now, ARGV[i])
end
if ARGV[6] ~= '' then
  if redis.call('HGET', KEYS[1], ARGV[6]) ~= ARGV[7] then
    redis.call('HSET', KEYS[1], ARGV[6], ARGV[7])
    changed = true
  end
  redis.call('ZADD', KEYS[2], now, ARGV[6])
end
-- Seen in the future: the clock was put back, or somebody else wrote this.
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. string.format('%.0f', now), '+inf')) do
  redis.call('ZADD', KEYS[2], now, id)
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[5]))
local seen = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do seen[id] = true end
local there = redis.call('HGETALL', KEYS[1])
local members = {}
for i = 1, #there, 2 do
  if seen[there[i]] then
    members[#members + 1] = there[i]
    members[#members + 1] = there[i + 1]
    seen[there[i]] = nil
  else
    redis.call('HDEL', KEYS[1], there[i])
    changed = true
  end
end
for id in pairs(seen) do redis.call('ZREM', KEYS[2], id) end
if changed then grow() elseif version < own then become(own) end
if version == known then return { version } end
return { version, members }`;

/** Removes a node, in this incarnation only. Arguments from the fifth: node id, incarnation. */
const LEAVE = `${BEGIN}
local found = redis.call('HGET', KEYS[1], ARGV[5])
if not found then return { version } end
local readable, member = pcall(cjson.decode, found)
if readable and type(member) == 'table' and member.incarnation ~= ARGV[6] then return { version } end
redis.call('HDEL', KEYS[1], ARGV[5])
redis.call('ZREM', KEYS[2], ARGV[5])
grow()
return { version }`;

/**
 * Members as Redis has them (docs/concepts/cluster.md#placement): a list with a version that grows with every change
 * and never decreases, whatever Redis loses. A hint that may be wrong, late or missing; every method may throw.
 */
export class Members {
  readonly #client: RedisClient;
  readonly #keys: string[];
  readonly #channel: string;
  readonly #unreadable: (nodeIds: readonly string[]) => void;

  /**
   * @param cluster distinguishes installations that share a Redis
   * @param unreadable called with the invalid members of each list
   */
  constructor(
    client: RedisClient,
    cluster: string,
    unreadable: (nodeIds: readonly string[]) => void = () => undefined,
  ) {
    this.#client = client;
    this.#unreadable = unreadable;
    const prefix = `innkeeper:{${cluster}}:members`;
    this.#keys = [prefix, `${prefix}:seen`, `${prefix}:version`];
    this.#channel = `${prefix}:changed`;
  }

  /**
   * Announces a node, or none, and reads the members.
   * @param known the newest view that this node received, restored to Redis when it is lost there
   * @param own version of this node's view
   * @returns the given view, when nothing has changed
   */
  async announce(self: Member | undefined, known: ClusterView, own = known.version): Promise<ClusterView> {
    const said = [String(UNSEEN_MS), self?.nodeId ?? '', self ? JSON.stringify(self) : ''];
    let [version, members] = await this.#run(ANNOUNCE, known, { own, given: said });
    if (version < 0) {
      const all = known.members.flatMap((one) => [one.nodeId, JSON.stringify(one)]);
      [version, members] = await this.#run(ANNOUNCE, known, { own, given: [...said, ...all], how: 'all' });
    }
    if (version < known.version) throw new Error('Redis goes back in its versions');
    if (version === known.version) return known;
    return { version, members: this.#read(members ?? [], known) };
  }

  /** Parses each member alone: an invalid one keeps its known data or is left out, without affecting others. */
  #read(listed: readonly string[], known: ClusterView): Member[] {
    const unreadable: string[] = [];
    const members: Member[] = [];
    for (let i = 0; i < listed.length; i += 2) {
      const nodeId = listed[i]!;
      const read = readMember(nodeId, listed[i + 1]);
      if (!read) unreadable.push(nodeId);
      const found = read ?? known.members.find((one) => one.nodeId === nodeId);
      if (found) members.push(found);
    }
    this.#unreadable(unreadable);
    return members;
  }

  /** Removes a node from the list, in this incarnation only. */
  async leave({ nodeId, incarnation }: Pick<Member, 'nodeId' | 'incarnation'>, known: ClusterView): Promise<void> {
    await this.#run(LEAVE, known, { given: [nodeId, incarnation] });
  }

  /** Reports each change by any node, while Redis is available. */
  async listen(listener: () => void): Promise<void> {
    await this.#client.subscribe(this.#channel, listener);
  }

  async listenNoMore(listener: () => void): Promise<void> {
    await this.#client.unsubscribe(this.#channel, listener);
  }

  async #run(
    script: string,
    { version }: ClusterView,
    { given, own = version, how = '' }: { given: string[]; own?: number; how?: 'all' | '' },
  ): Promise<z.infer<typeof answer>> {
    const over = new AbortController();
    const late = pause(PATIENCE_MS, undefined, { signal: over.signal, ref: false }).then(() => {
      throw new Error('Redis does not answer');
    });
    late.catch(() => undefined);
    const reply = this.#client.eval(script, {
      keys: this.#keys,
      arguments: [String(version), this.#channel, how, String(own), ...given],
    });
    reply.catch(() => undefined);
    try {
      return answer.parse(await Promise.race([reply, late]));
    } finally {
      over.abort();
    }
  }
}

/** The data that a node has stored about itself. */
function readMember(nodeId: string, text = ''): Member | undefined {
  try {
    const said = member.parse(JSON.parse(text));
    return said.nodeId === nodeId ? said : undefined;
  } catch {
    return undefined;
  }
}
