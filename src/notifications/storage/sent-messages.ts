import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { ListedMessage, SentMessage, SentMessages } from '../ports.ts';

const OF_STAY = `
  select kind, channel, occasion::float8 as occasion, state as status, ${ms('at')} as at, ${ms('sent_at')} as "sentAt",
    attempts, error
  from notifications where tenant_id = ? and reservation_id = ?::uuid order by at, kind, channel`;

const SEND_AGAIN = `
  update notifications set state = 'WAITING', attempts = 0, due_at = app_now(), error = null
  where tenant_id = ? and reservation_id = ?::uuid and kind::text = ? and channel::text = ? and occasion = ?
    and state in ('FAILED', 'UNKNOWN')
  returning 1`;

/** The rest of the key, as text: messages of one moment are in its order. */
const KEY = `(n.reservation_id || '/' || n.kind || '/' || n.channel || '/' || n.occasion) collate "C"`;

const OF_PROPERTY = `
  select n.kind, n.channel, n.occasion::float8 as occasion, n.state as status, ${ms('n.at')} as at,
    ${ms('n.sent_at')} as "sentAt", n.attempts, n.error, n.reservation_id as "reservationId",
    r.confirmation_number as "confirmationNumber", ${KEY} as key
  from notifications n
  left join reservations r on r.tenant_id = n.tenant_id and r.id = n.reservation_id
  where n.tenant_id = ? and n.property_id = ?`;
const NEWEST_FIRST = `order by n.at desc, ${KEY} desc limit ?`;

/** Messages of stays in PostgreSQL. */
export function databaseSentMessages(database: Database): SentMessages {
  return {
    ofStay: (tenantId, id) =>
      database.readTenant(tenantId, (em) => em.execute<SentMessage[]>(OF_STAY, [tenantId, id])),
    ofProperty: ({ tenantId, propertyId }, { kind, status, reservation }, limit, after) =>
      database.readTenant(tenantId, async (em) => {
        const conditions: [sql: string, ...values: unknown[]][] = [];
        if (kind !== undefined) conditions.push(['and n.kind::text = ?', kind]);
        if (status !== undefined) conditions.push(['and n.state::text = ?', status]);
        if (reservation !== undefined)
          conditions.push(
            isUuid(reservation)
              ? ['and n.reservation_id = ?::uuid', reservation]
              : ['and starts_with(r.confirmation_number, ?)', reservation.toUpperCase()],
          );
        if (after) conditions.push([`and (n.at, ${KEY}) < (?, ?)`, formatInstant(after.createdAt), after.id]);
        const narrowed = conditions.map(([sql]) => sql).join(' ');
        const values = conditions.flatMap(([, ...some]) => some);
        const rows = await em.execute<(ListedMessage & { key: string })[]>(
          `${OF_PROPERTY} ${narrowed} ${NEWEST_FIRST}`,
          [tenantId, propertyId, ...values, limit + 1],
        );
        const last = rows[limit - 1];
        const items = rows.slice(0, limit).map((row) => {
          const { key: _, ...message } = row;
          return message;
        });
        return rows.length > limit && last ? { items, next: { createdAt: last.at, id: last.key } } : { items };
      }),
    sendAgain: (tenantId, id, { kind, channel, occasion }) =>
      database.inTenant(tenantId, async (em) => {
        const sent = await em.execute<unknown[]>(SEND_AGAIN, [tenantId, id, kind, channel, occasion]);
        return sent.length > 0;
      }),
  };
}
