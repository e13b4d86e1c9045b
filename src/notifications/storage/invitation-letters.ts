import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { InvitationLetters, LeasedInvitation } from '../ports.ts';

const OPEN = `i.tenant_id = current_setting('innkeeper.tenant') and i.deleted_at is null`;

/** Parameters: now, now, limit, until. What was being sent when its time was over becomes UNKNOWN. */
const LEASE = `
  with due as (
    select i.id, i.letter_state from invitations i
    where ${OPEN} and i.letter_state in ('WAITING', 'SENDING') and i.letter_due_at <= ?::timestamptz
      and i.expires_at > ?::timestamptz
    order by i.letter_due_at limit ? for update skip locked)
  update invitations i set
    letter_state = case due.letter_state when 'WAITING' then 'SENDING' else 'UNKNOWN' end,
    letter_attempts = i.letter_attempts + 1, letter_due_at = ?::timestamptz,
    letter_error = case due.letter_state when 'WAITING' then null else 'its sender was cut off' end
  from due, tenants t
  where ${OPEN} and i.id = due.id and t.tenant_id = i.tenant_id
  returning i.id, i.email, i.name, i.role, ${ms('i.expires_at')} as "expiresAt", i.letter_state as state,
    i.letter_language as "letterLanguage", ${ms('i.letter_at')} as "letterAt",
    i.letter_attempts as "letterAttempts", t.name as tenant,
    (select u.email from users u
     where u.tenant_id = i.tenant_id and u.id::text = i.invited_by and u.deleted_at is null) as "replyTo"`;

const RECORD = `
  update invitations i set letter_state = ?, letter_due_at = ?::timestamptz, letter_sent_at = ?::timestamptz,
    letter_error = left(?, 100)
  where ${OPEN} and i.id = ?::uuid and i.letter_at = ?::timestamptz and i.letter_state in ('SENDING', 'UNKNOWN')`;

type Row = Omit<LeasedInvitation, 'name' | 'replyTo'> & {
  name: string | null;
  replyTo: string | null;
  state: string;
};

/** Letters of invitations in PostgreSQL, within their tenant. */
export function databaseInvitationLetters(database: Database): InvitationLetters {
  return {
    async lease(tenantId, now, until, limit) {
      const values = [formatInstant(now), formatInstant(now), limit, formatInstant(until)];
      const rows = await database.inTenant(tenantId, (em) => em.execute<Row[]>(LEASE, values));
      return rows.flatMap(({ state, name, replyTo, ...row }) =>
        state === 'SENDING' ? [{ ...row, ...(name !== null && { name }), ...(replyTo !== null && { replyTo }) }] : [],
      );
    },
    async record(tenantId, { id, letterAt }, { letterState, letterDueAt, letterSentAt, letterError }) {
      const sentAt = letterSentAt === undefined ? null : formatInstant(letterSentAt);
      const ended = [letterState, formatInstant(letterDueAt), sentAt, letterError ?? null];
      await database.inTenant(tenantId, (em) => em.execute(RECORD, [...ended, id, formatInstant(letterAt)]));
    },
  };
}
