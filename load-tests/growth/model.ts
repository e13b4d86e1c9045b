/** Costs of one operation in microseconds of CPU. */
type Cpu = { service: number; postgres: number };

/** Measured costs that the calculation starts from. */
export type ModelInput = {
  booking: Cpu;
  quote: Cpu;
  search: Cpu;
  list: Cpu;
  change: Cpu;
  /** CPU of the service for one more socket that a change is sent to. */
  frame: number;
  /** CPU of both nodes together for a booking or a change that is forwarded, and for a quote. */
  hop: number;
  hopOfQuote: number;
  /** CPU of PostgreSQL for a booking of several nodes beyond that of one: their batches are smaller. */
  postgresOfHop: number;
  redis: number;
  redisMessages: number;
  /** CPU of a node without calls, and of the others for it, in milliseconds a second. */
  idle: { node: number; postgres: number; redis: number };
  commits: number;
  /** Commits a second that the disk takes. */
  diskCommits: number;
  networkBytes: number;
  sessions: number;
  /** Bytes of a node with nothing, and of one more of each. */
  memory: { base: number; property: number; socket: number; hold: number };
};

/** What is not measured, and taken for granted. */
export const ASSUMED = {
  nodeCores: 2,
  nodeMemoryBytes: 8e9,
  databaseCores: [16, 64],
  /** Share of a core, of a disk, of a line and of memory that is used before queues grow. */
  usedShare: 0.75,
  /** Sessions beyond which PostgreSQL needs a pooler. */
  sessions: 500,
  /** Bytes a second of the line of the database, both ways together: 10 Gbit/s. */
  networkBytes: 1.25e9,
  /** For each paid booking. */
  quotes: 100,
  searches: 10,
  lists: 3,
  changes: 2,
  /** Sockets of each property, to which every booking and change is sent. */
  sockets: 3,
  holds: 2,
  /** Bookings of a property in its busiest hour. */
  bookingsInBusiestHour: 4,
} as const;

/** A part that ends, and the bookings a second, with all that comes with them, at which it does. */
export type Part = { part: string; perSecond: number };

/** What some nodes carry. */
export type Carried = {
  nodes: number;
  databaseCores: number;
  /** Bookings a second, with the quotes, searches, lists, changes and frames of {@link ASSUMED}. */
  perSecond: number;
  /** All parts, the one that ends first at the beginning. */
  parts: Part[];
  /** Properties in their busiest hour by that rate, and those that fit into memory. */
  propertiesByLoad: number;
  propertiesByMemory: number;
  sessions: number;
  /** Messages to Redis a second at that rate. */
  redisMessages: number;
};

/** Share of requests that reach a node that does not own their property. */
export const forwardedShare = (nodes: number): number => (nodes - 1) / nodes;

const MICROS = 1e6;

/** Bookings a second that some nodes carry, by each part that could end; a calculation, and no measurement. */
export function carriedBy(input: ModelInput, nodes: number, databaseCores: number): Carried {
  const { usedShare, nodeCores, quotes, changes, sockets } = ASSUMED;
  const mix = mixOf(input);
  // Every node answers searches from a read model of its own, and lists from the database.
  const hops = (1 + changes) * input.hop + quotes * input.hopOfQuote;
  const ofService = mix.service + forwardedShare(nodes) * hops;
  const ofPostgres = mix.postgres + input.postgresOfHop * forwardedShare(nodes);
  const left = (cores: number, idleMs: number): number => Math.max(0, cores * usedShare - idleMs / 1_000) * MICROS;
  const commits = input.commits + changes;
  // What was too little to be measured ends last.
  const ending = (part: string, available: number, each: number): Part[] =>
    each > 0 ? [{ part, perSecond: available / each }] : [];
  const parts: Part[] = [
    ...ending(`CPU of the nodes (${nodeCores} cores each)`, nodes * left(nodeCores, input.idle.node), ofService),
    ...ending(
      `CPU of PostgreSQL (${databaseCores} cores)`,
      left(databaseCores, nodes * input.idle.postgres),
      ofPostgres,
    ),
    ...ending('commits of the disk', usedShare * input.diskCommits, commits),
    ...ending('CPU of Redis (1 core)', left(1, nodes * input.idle.redis), nodes > 1 ? input.redis : 0),
    ...ending('network of PostgreSQL (10 Gbit/s)', usedShare * ASSUMED.networkBytes, input.networkBytes),
  ].toSorted((one, other) => one.perSecond - other.perSecond);
  const perSecond = parts[0]!.perSecond;
  const { base, property, socket, hold } = input.memory;
  const ofProperty = property + sockets * socket + ASSUMED.holds * hold;
  const memory = Math.max(0, usedShare * ASSUMED.nodeMemoryBytes - base);
  return {
    nodes,
    databaseCores,
    perSecond,
    parts,
    propertiesByLoad: Math.floor((perSecond * 3_600) / ASSUMED.bookingsInBusiestHour),
    propertiesByMemory: Math.floor((nodes * memory) / Math.max(1, ofProperty)),
    sessions: nodes * input.sessions,
    redisMessages: nodes > 1 ? perSecond * input.redisMessages : 0,
  };
}

/** CPU of a booking with everything that comes with it, on one node. */
export function mixOf({ booking, quote, search, list, change, frame }: ModelInput): Cpu {
  const { quotes, searches, lists, changes, sockets } = ASSUMED;
  const of = (name: keyof Cpu): number =>
    booking[name] + quotes * quote[name] + searches * search[name] + lists * list[name] + changes * change[name];
  // One of the frames of a change is in the cost of the change already.
  const frames = sockets + changes * (sockets - 1);
  return { service: of('service') + frames * frame, postgres: of('postgres') };
}

/** Largest number of nodes whose sessions PostgreSQL takes without a pooler. */
export function nodesWithoutPooler({ sessions }: ModelInput): number {
  return Math.floor(ASSUMED.sessions / Math.max(1, sessions));
}
