/** Texts of the operations view. */

const number = new Intl.NumberFormat('en-US');
const plural = (count: number, one: string, more: string): string =>
  `${number.format(count)} ${count === 1 ? one : more}`;

export const operations = {
  title: 'Operations',
  lead: 'Nodes, shards, queues and lag of this installation, every two seconds.',
  token: 'Operator token',
  tokenHint: 'It is stored in this tab until you close it or leave.',
  tokenWhere:
    'This is a development installation: the token is `operatorToken` in the file dev.json of DATA_DIR, or what `npm run token -- --operator` prints.',
  tokenWhereProduction: 'Ask your issuer for an access token with the scope innkeeper:operate.',
  show: 'Show the nodes',
  leave: 'Forget the token',
  tokenOver:
    'The service does not accept this token: it has expired, or is of another installation. Get a new one and enter it here.',
  notOperator:
    'This token is not one of an operator: it has not the scope innkeeper:operate. Get one that has, and enter it here.',
  refused: (status: number): string =>
    `The reservation service answered ${status}. It is retried every two seconds; look at its /actuator/health and at its log.`,
  noService: (url: string): string =>
    `The reservation service at ${url} cannot be reached. It is retried every two seconds; see that it runs, and that its CORS_ORIGINS names this page.`,
  waiting: 'Loading',
  fresh: 'Up to date',
  old: 'Out of date',
  age: (seconds: number): string => (seconds < 2 ? 'As of now' : `As of ${seconds} s ago`),
  nodes: 'Nodes',
  count: (nodes: number): string => plural(nodes, 'node', 'nodes'),
  alone: 'alone',
  missing: (nodeId: string, why: string): string =>
    `Node ${nodeId} does not answer: ${why}. If it stays away, others take over within seconds; see its log, and start it again.`,
  views: (versions: string): string =>
    `Nodes go by different views of the cluster (${versions}). That lasts a moment when one comes or goes; if it stays, look at Redis.`,
  unowned: (count: number): string =>
    `${plural(count, 'shard belongs', 'shards belong')} to no node that answered: their properties cannot be booked until one takes over.`,
  disputed: (count: number): string =>
    `${plural(count, 'shard is', 'shards are')} claimed by two nodes, whose views differ. Nothing is sold twice: PostgreSQL lets one of them write.`,
  stopped: (nodeId: string, count: number): string =>
    `Events of ${plural(count, 'property', 'properties')} cannot be sent by ${nodeId}: see kafka of its /actuator/health for which, and why.`,
  lateRounds: (nodeId: string, rounds: string): string =>
    `Regular work of ${nodeId} is late: ${rounds}. See jobs and rounds of its /actuator/health, and its log.`,
  leaseLost: (nodeId: string): string =>
    `Node ${nodeId} has no lease: it answers nothing about its properties until PostgreSQL gives it one again.`,
  shards: 'Shards',
  mapOf: (parts: string): string => `1,024 shards: ${parts}`,
  mapPart: (nodeId: string, shards: number): string => `${nodeId} has ${number.format(shards)}`,
  mark: 'Show the shards of',
  takeOvers: 'Take-overs',
  noTakeOvers: 'No node had to be taken over from since these started.',
  takeOver: (by: string, nodeId: string, why: string): string => `${by} took over from ${nodeId}: ${why}`,
  columns: {
    status: 'State',
    lease: 'Lease',
    view: 'View',
    shards: 'Shards',
    actors: 'Resident properties',
    waiting: 'Commands, batches',
    live: 'Sockets, properties',
    relay: 'Events behind',
    jobs: 'Jobs',
    rounds: 'Rounds',
    links: 'Calls out, failed',
    memory: 'Memory, longest pause',
    parts: 'Partners and parts',
    breakers: 'Breakers',
  },
  held: (seconds: number): string => `held, ${seconds.toFixed(1)} s old`,
  lost: (seconds: number): string => `lost, ${seconds.toFixed(1)} s ago`,
  viewOf: (version: number, members: number): string => `${version}, ${plural(members, 'member', 'members')}`,
  pair: (a: number, b: number): string => `${number.format(a)}, ${number.format(b)}`,
  lag: (rows: number, seconds: number): string =>
    rows === 0 ? 'none' : `${number.format(rows)}, oldest ${Math.round(seconds)} s`,
  memory: (bytes: number, delayMs: number): string =>
    `${Math.round(bytes / 1_048_576)} MB, ${Math.round(delayMs)} ms`,
  onTime: 'all on time',
  late: (name: string, seconds: number): string =>
    `${name}, ${seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`}`,
  lateOnes: (rounds: string): string => `late: ${rounds}`,
  unknownRounds: 'not known',
  number: (value: number): string => number.format(value),
  allUp: 'all up',
  allClosed: 'all closed',
  noBreakers: 'none',
  notThere: (count: number): string => `${count} not configured`,
  since: (build: string, runtime: string, seconds: number): string => `${build} on ${runtime}, ${duration(seconds)}`,
};

function duration(seconds: number): string {
  if (seconds < 120) return `up ${Math.round(seconds)} s`;
  if (seconds < 7_200) return `up ${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `up ${Math.round(seconds / 3_600)} h` : `up ${Math.round(seconds / 86_400)} days`;
}
