import { textsOf } from '../language/texts.ts';
import { milliseconds, oneDecimal } from './messages.ts';

const say = textsOf('operations');

/** Texts of figures over time, alerts and slow requests. */

const captions = {
  requests: say('Requests a second by service'),
  latency: say('Time to answer a request below /api, of the slowest node'),
  errors: say('Answers a second with status 5xx and 4xx'),
  bookings: say('Reservations made a minute'),
  commits: say('Time to write a batch, of the slowest node'),
  sockets: say('Open sockets of the live gateway'),
  live: say('Time from a commit until live clients are sent it'),
  mailboxes: say('Commands in mailboxes, of the fullest node'),
  relay: say('Age of the oldest event that waits for Kafka'),
  rounds: say('Age of the latest round in its periods'),
  loop: say('Longest pause of the event loop'),
};

export const figureWords = {
  title: say('Figures'),
  loading: say('Loading'),
  failed: say('The figures cannot be read. They are asked for again in ten seconds.'),
  retry: say('Failed. Retry'),
  which: say('Figure'),
  window: say('Time'),
  windows: { hour: say('Last hour'), day: say('Last day') },
  charts: {
    requests: say('Requests'),
    latency: say('Latency'),
    errors: say('Errors'),
    bookings: say('Bookings'),
    commits: say('Commits'),
    sockets: say('Sockets'),
    live: say('Live lag'),
    mailboxes: say('Waiting commands'),
    relay: say('Event relay'),
    rounds: say('Rounds'),
    loop: say('Event loop'),
  },
  caption: (chart: keyof typeof captions, window: 'hour' | 'day'): string =>
    `${captions[chart]}, ${window === 'hour' ? say('every 10 s of the last hour') : say('every 5 min of the last day')}`,
  none: {
    hour: say('Nothing was measured in the last hour.'),
    day: say('Nothing is stored of the last day yet: each node writes once a minute.'),
  },
  time: say('Time'),
  all: say('All'),
  services: { rate: say('Rates'), reservation: say('Reservations'), live: say('Live') },
  status5xx: '5xx',
  refused: '4xx',
  oldest: say('Oldest'),
  rows: say('Rows'),
  nothing: '–',
  value: (value: number, unit: string): string => `${oneDecimal.format(value)}${unit === '' ? '' : ` ${unit}`}`,
  summary: (now: string, most: string): string => say('Now {now}; most {most}.', { now, most }),
  threshold: (alert: string): string => say('{alert} above', { alert }),
  toRequests: say('Enter or a click shows slow requests.'),
  nodes: (count: number): string => say('{count} {count, plural, one {node} other {nodes}}', { count }),
};

export const alertWords = {
  title: say('Alerts'),
  none: say('Nothing needs attention'),
  watched: (count: number): string => say('{count} alerts are watched.', { count }),
  states: { FIRING: say('Fires'), PENDING: say('Holds, not for long enough yet'), QUIET: say('Quiet') },
  severities: { page: say('now'), ticket: say('next working day') },
  since: (time: string): string => say('since {time}', { time }),
  on: (nodes: string): string => say('on {nodes}', { nodes }),
  limited: say('What only Prometheus sees'),
  all: say('All alerts'),
  close: say('Close'),
  unknown: say('There is no alert of this name.'),
  failed: say('The alerts cannot be read. They are asked for again in ten seconds.'),
};

export const requestWords = {
  title: say('Slow requests'),
  lead: say(
    'The slowest 50 requests of the last hour of each node, the slowest 3 of each route, and those that failed.',
  ),
  route: say('Route'),
  tenant: say('Tenant'),
  none: say('No such request in the last hour.'),
  ms: milliseconds,
  spans: say('Spans'),
  gone: say('This request is no longer retained.'),
  failed: say('failed'),
  column: {
    route: say('Route'),
    time: say('Time'),
    took: say('Took'),
    status: say('Status'),
    tenant: say('Tenant'),
    node: say('Node'),
  },
  span: (name: string, start: string, ms: string): string =>
    say('{name}, starts at {start}, takes {ms}', { name, start, ms }),
  request: say('Request'),
  actor: say('Actor of the property'),
};
