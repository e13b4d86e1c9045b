import { PLACE, type ActorTable } from './table.ts';

/** The fence, and data about a property without reading it. */
export const PROPERTY_ACTOR_TABLE = {
  name: 'property_actor',
  key: ['t', 'p'],
  columns: {
    ...PLACE,
    epoch: 'bigint',
    seq: 'bigint',
    headHash: 'text',
    committedAt: 'timestamptz(3)?',
    businessDate: 'date?',
    rateVersion: 'bigint?',
  },
  others: ['generation', 'owner_node', 'taken_at'],
} as const satisfies ActorTable;

/** Idempotency records. */
export const IDEMPOTENCY_TABLE = {
  name: 'idempotency',
  key: ['t', 'subject', 'key'],
  columns: {
    ...PLACE,
    subject: 'varchar(100)',
    key: 'varchar(255)',
    fingerprint: 'text',
    ref: 'text?',
    answer: 'json?',
    at: 'timestamptz(3)',
  },
  names: { at: 'created_at' },
  computed: {
    state: ['key_state', `(case when r.answer is null then 'IN_PROGRESS' else 'DONE' end)::key_state`],
    expires_at: ['timestamptz(3)', `r.at + interval '24 hours'`],
  },
} as const satisfies ActorTable;

export const JOURNAL_TABLE = {
  name: 'public.journal',
  key: ['t', 'p', 'seq', 'at'],
  columns: {
    ...PLACE,
    seq: 'bigint',
    at: 'timestamptz(3)',
    type: 'varchar(40)',
    subject: 'varchar(100)',
    requestId: 'varchar(100)',
    entity: 'varchar(100)',
    facts: 'json',
    hash: 'text',
  },
} as const satisfies ActorTable;
