import type { LimitName } from '../../../src/tenants/rules/limits.ts';
import type { TenantStatus } from '../../../src/tenants/rules/tenant.ts';
import { textsOf } from '../language/texts.ts';
import { milliseconds, oneDecimal } from './messages.ts';

const say = textsOf('operations');

/** Texts of tenants, actors, rounds and log levels in the operations view. */

export const views = {
  label: say('Views of operations'),
  names: {
    overview: say('Overview'),
    requests: say('Slow requests'),
    tenants: say('Tenants'),
    work: say('Rounds and log'),
  },
};

export const tenantWords = {
  title: say('Tenants'),
  search: say('Search tenants'),
  none: say('No such tenant.'),
  more: (count: number): string =>
    say('{count, plural, other {The newest # tenants are shown. Search for the others.}}', { count }),
  new: say('New tenant'),
  create: say('Create tenant'),
  id: say('Tenant id'),
  name: say('Name'),
  subject: say("Subject of the first owner's tokens"),
  email: say('E-mail of the first owner'),
  created: (id: string): string => say('Tenant {id} is created. Its owner signs in and sets up the rest.', { id }),
  status: say('Status'),
  statuses: {
    TRIAL: say('Trial'),
    ACTIVE: say('Active'),
    SUSPENDED: say('Suspended'),
    INACTIVE: say('Inactive'),
    CANCELLED: say('Cancelled'),
  } satisfies Record<TenantStatus, string>,
  suspend: say('Suspend'),
  resume: say('Resume'),
  suspends: (id: string): string =>
    say(
      'Suspend {id}: its users read, and change nothing, within 30 s on every node. Bookings of guests are refused. Nothing is deleted.',
      { id },
    ),
  resumes: (id: string): string =>
    say('Resume {id}: its users and guests book and change again within 30 s.', { id }),
  confirm: (id: string): string => say('Type {id} to confirm', { id }),
  cancel: say('Cancel'),
  failed: (why: string): string => say('Failed: {why}', { why }),
  quotas: say('Quotas'),
  quota: { name: say('Quota'), limit: say('Limit'), used: say('In this second') },
  limits: {
    TENANT_REQUESTS_PER_SECOND: say('Requests a second'),
    COSTLY_REQUESTS_PER_SECOND: say('Slow requests a second'),
    USER_REQUESTS_PER_SECOND: say('Requests of a user a second'),
    TENANT_SOCKETS: say('Open sockets'),
    TENANT_INVITATIONS: say('Open invitations'),
  } satisfies Partial<Record<LimitName, string>>,
  noLimit: say('none'),
  noLimits: say('The quotas cannot be read.'),
  properties: say('Properties'),
  noProperties: say('No properties.'),
  slow: say('Slow requests of this tenant'),
  close: say('Close'),
};

export const actorWords = {
  title: say('Actor'),
  owner: say('Owner'),
  nobody: say('nobody'),
  passive: say('Not in memory of any node: the next request activates it.'),
  epoch: say('Epoch'),
  seq: say('Seq'),
  waiting: say('Waiting commands'),
  wait: say('Oldest waits'),
  ring: say('Entries in memory'),
  followers: say('Followers'),
  lastUsed: say('Last use'),
  failing: say('Fails again and again'),
  batches: say('Newest batches'),
  batch: {
    at: say('Time'),
    commands: say('Commands'),
    wait: say('Waited'),
    decide: say('Decided in'),
    commit: say('Written in'),
  },
  tail: say('Journal tail'),
  entry: { seq: say('Seq'), at: say('Time'), command: say('Command'), events: say('Events') },
  audit: say('Audit'),
  auditing: say('Checking'),
  audited: (cells: number, seq: number): string =>
    say('No difference in {number} cells at seq {seq}.', { number: oneDecimal.format(cells), seq }),
  differs: (count: number): string =>
    say('{count} {count, plural, one {difference} other {differences}} found. See InvariantViolated.', { count }),
  ms: milliseconds,
  failed: say('The actor cannot be read.'),
};

export const workWords = {
  rounds: say('Rounds'),
  column: {
    round: say('Round'),
    node: say('Node'),
    last: say('Last run'),
    took: say('Took'),
    next: say('Next run'),
    failures: say('Failures'),
    state: say('State'),
    why: say('Newest failure'),
  },
  took: (ms: number): string =>
    ms < 1_000 ? milliseconds(ms) : say('{seconds} s', { seconds: oneDecimal.format(ms / 1_000) }),
  ago: (seconds: number): string => say('{seconds} s ago', { seconds: Math.round(seconds) }),
  within: (seconds: number): string =>
    seconds <= 0 ? say('due') : say('in {seconds} s', { seconds: Math.round(seconds) }),
  late: say('late'),
  onTime: say('on time'),
  queues: say('Job queues'),
  queue: { name: say('Queue'), waiting: say('Waiting or running') },
  failedJobs: say('Failed jobs'),
  noFailedJobs: say('No job has failed.'),
  failedLead: say(
    'They are not begun again, and are listed for a week. What is due comes with the next round; the rest is requested anew.',
  ),
  failedJob: {
    queue: say('Queue'),
    at: say('Failed at'),
    tenant: say('Tenant'),
    attempts: say('Attempts'),
    why: say('Why'),
    id: say('Job'),
  },
  log: say('Log levels'),
  logLead: say('Of the node that answers this page, until it ends.'),
  level: (name: string): string => say('Level of {name}', { name }),
  inherited: (level: string): string => say('Inherited ({level})', { level }),
  failed: say('The log levels cannot be read.'),
};
