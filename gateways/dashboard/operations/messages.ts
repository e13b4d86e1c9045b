import { locale, textsOf } from '../language/texts.ts';

const say = textsOf('operations');

/** Texts of the operations view. */

const number = new Intl.NumberFormat(locale);
/** Figures of the views, with one decimal at most. */
export const oneDecimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
export const milliseconds = (ms: number): string => say('{number} ms', { number: oneDecimal.format(ms) });

export const operations = {
  title: say('Operations'),
  lead: say('Nodes, shards, queues and lag of this installation, every two seconds.'),
  token: say('Operator token'),
  tokenHint: say('It is stored in this tab until you close it or leave.'),
  tokenWhere: say(
    'This is a development installation: the token is `operatorToken` in the file dev.json of DATA_DIR, or what `npm run token -- --operator` prints.',
  ),
  tokenWhereProduction: say('Ask your issuer for an access token with the scope innkeeper:operate.'),
  show: say('Show the nodes'),
  leave: say('Forget the token'),
  tokenOver: say(
    'The service does not accept this token: it has expired, or is of another installation. Get a new one and enter it here.',
  ),
  notOperator: say(
    'This token is not one of an operator: it has not the scope innkeeper:operate. Get one that has, and enter it here.',
  ),
  refused: (status: number): string =>
    say(
      'The reservation service answered {status}. It is retried every two seconds; look at its /actuator/health and at its log.',
      { status },
    ),
  noService: (url: string): string =>
    say(
      'The reservation service at {url} cannot be reached. It is retried every two seconds; see that it runs, and that its CORS_ORIGINS names this page.',
      { url },
    ),
  noAnswer: say('The reservation service does not answer.'),
  refusedOnce: (status: number): string => say('The reservation service answered {status}.', { status }),
  waiting: say('Loading'),
  fresh: say('Up to date'),
  old: say('Out of date'),
  age: (seconds: number): string => (seconds < 2 ? say('As of now') : say('As of {seconds} s ago', { seconds })),
  nodes: say('Nodes'),
  count: (nodes: number): string => say('{nodes, plural, one {# node} other {# nodes}}', { nodes }),
  alone: say('alone'),
  missing: (nodeId: string, why: string): string =>
    say(
      'Node {nodeId} does not answer: {why}. If it stays away, others take over within seconds; see its log, and start it again.',
      { nodeId, why },
    ),
  views: (versions: string): string =>
    say(
      'Nodes go by different views of the cluster ({versions}). That lasts a moment when one comes or goes; if it stays, look at Redis.',
      { versions },
    ),
  unowned: (count: number): string =>
    say(
      '{count, plural, one {# shard belongs} other {# shards belong}} to no node that answered: their properties cannot be booked until one takes over.',
      { count },
    ),
  disputed: (count: number): string =>
    say(
      '{count, plural, one {# shard is} other {# shards are}} claimed by two nodes, whose views differ. Nothing is sold twice: PostgreSQL lets one of them write.',
      { count },
    ),
  stopped: (nodeId: string, count: number): string =>
    say(
      'Events of {count, plural, one {# property} other {# properties}} cannot be sent by {nodeId}: see kafka of its /actuator/health for which, and why.',
      { count, nodeId },
    ),
  lateRounds: (nodeId: string, rounds: string): string =>
    say('Regular work of {nodeId} is late: {rounds}. See jobs and rounds of its /actuator/health, and its log.', {
      nodeId,
      rounds,
    }),
  leaseLost: (nodeId: string): string =>
    say('Node {nodeId} has no lease: it answers nothing about its properties until PostgreSQL gives it one again.', {
      nodeId,
    }),
  shards: say('Shards'),
  mapOf: (parts: string): string => say('1,024 shards: {parts}', { parts }),
  mapPart: (nodeId: string, shards: number): string =>
    say('{nodeId} has {number}', { nodeId, number: number.format(shards) }),
  mark: say('Show the shards of'),
  takeOvers: say('Take-overs'),
  noTakeOvers: say('No node had to be taken over from since these started.'),
  takeOver: (by: string, nodeId: string, why: string): string =>
    say('{by} took over from {nodeId}: {why}', { by, nodeId, why }),
  columns: {
    status: say('State'),
    lease: say('Lease'),
    view: say('View'),
    shards: say('Shards'),
    actors: say('Resident properties'),
    waiting: say('Commands, batches'),
    live: say('Sockets, properties'),
    relay: say('Events behind'),
    jobs: say('Jobs'),
    rounds: say('Rounds'),
    links: say('Calls out, failed'),
    memory: say('Memory, longest pause'),
    parts: say('Partners and parts'),
    breakers: say('Breakers'),
  },
  held: (seconds: number): string => say('held, {seconds} s old', { seconds: seconds.toFixed(1) }),
  lost: (seconds: number): string => say('lost, {seconds} s ago', { seconds: seconds.toFixed(1) }),
  viewOf: (version: number, members: number): string =>
    say('{version}, {members, plural, one {# member} other {# members}}', { version, members }),
  pair: (a: number, b: number): string => `${number.format(a)}, ${number.format(b)}`,
  lag: (rows: number, seconds: number): string =>
    rows === 0
      ? say('none')
      : say('{number}, oldest {seconds} s', { number: number.format(rows), seconds: Math.round(seconds) }),
  memory: (bytes: number, delayMs: number): string =>
    say('{bytes} MB, {delayMs} ms', { bytes: Math.round(bytes / 1_048_576), delayMs: Math.round(delayMs) }),
  onTime: say('all on time'),
  late: (name: string, seconds: number): string =>
    `${name}, ${seconds < 120 ? `${Math.round(seconds)} s` : say('{seconds} min', { seconds: Math.round(seconds / 60) })}`,
  lateOnes: (rounds: string): string => say('late: {rounds}', { rounds }),
  unknownRounds: say('not known'),
  number: (value: number): string => number.format(value),
  allUp: say('all up'),
  allClosed: say('all closed'),
  noBreakers: say('none'),
  notThere: (count: number): string => say('{count} not configured', { count }),
  since: (build: string, runtime: string, seconds: number): string =>
    say('{build} on {runtime}, {seconds}', { build, runtime, seconds: duration(seconds) }),
};

function duration(seconds: number): string {
  if (seconds < 120) return say('up {seconds} s', { seconds: Math.round(seconds) });
  if (seconds < 7_200) return say('up {seconds} min', { seconds: Math.round(seconds / 60) });
  return seconds < 172_800
    ? say('up {seconds} h', { seconds: Math.round(seconds / 3_600) })
    : say('up {seconds} days', { seconds: Math.round(seconds / 86_400) });
}
