import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { MailId, ReservationId, TenantId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { StayMails } from '../ports.ts';
import { MAX_MAILS_OF_STAY, type StayMail } from '../rules/stay-mail.ts';

/** Revoking all links of a stay is one row, which revokes the mailed ones with it: no step between is half-done. */
const REVOKED_AT = `coalesce(m.revoked_at, case
  when m.kind in ('PAYMENT_LINK', 'STAY_LINK') and m.created_at < p.links_from then p.links_from end)`;
const MAILS = `
  select m.id as "mailId", m.property_id as "propertyId", m.reservation_id as "reservationId", m.kind, m.address,
    m.details, m.sent_by as by, ${ms('m.created_at')} as at, ${ms(REVOKED_AT)} as "revokedAt"
  from stay_mails m left join stay_pages p using (tenant_id, reservation_id)
  where m.tenant_id = current_setting('innkeeper.tenant')`;
const BY_IDS = `${MAILS} and m.id = any (?::uuid[])`;
const OF_STAYS = `${MAILS} and m.reservation_id = any (?::uuid[]) order by m.created_at, m.id`;
const COUNT = `
  select count(*)::int as mails from stay_mails
  where tenant_id = current_setting('innkeeper.tenant') and reservation_id = ?::uuid and id <> ?::uuid`;
const ADD = `
  insert into stay_mails
    (tenant_id, id, property_id, reservation_id, kind, address, details, sent_by, created_at)
  values (current_setting('innkeeper.tenant'), ?::uuid, ?, ?::uuid, ?::notification_kind, ?, ?::json, ?, ?::timestamptz)
  on conflict do nothing`;
const REVOKE = `
  update stay_mails set revoked_at = ?::timestamptz
  where tenant_id = current_setting('innkeeper.tenant') and id = ?::uuid and revoked_at is null`;
const REMOVE = `
  delete from stay_mails
  where tenant_id = current_setting('innkeeper.tenant')
    and (reservation_id = any (?::uuid[]) or lower(address) in (select lower(value) from json_array_elements_text(?::json)))`;

type Row = Omit<StayMail, 'window' | 'amount' | 'expiresAt' | 'revokedAt'> & {
  details: Pick<StayMail, 'window' | 'amount' | 'expiresAt'>;
  revokedAt: number | null;
};

/** Mails of staff in PostgreSQL. */
export function databaseStayMails(database: Database): StayMails {
  return {
    add: (tenantId, mail) =>
      database.inTenant(tenantId, async (em) => {
        const { mailId, propertyId, reservationId, kind, address, window, amount, expiresAt, by, at } = mail;
        const [{ mails } = { mails: 0 }] = await em.execute<{ mails: number }[]>(COUNT, [reservationId, mailId]);
        if (mails >= MAX_MAILS_OF_STAY)
          throw new DomainError('INVALID_STATE', `The stay had ${mails} mails of this kind already.`);
        const details = JSON.stringify({ window, amount, expiresAt });
        await em.execute(ADD, [mailId, propertyId, reservationId, kind, address, details, by, formatInstant(at)]);
      }),
    get: async (tenantId, id) => (isUuid(id) ? (await readMails(database, tenantId, [id]))[0] : undefined),
    ofStays: (tenantId, ids) =>
      database.readTenant(tenantId, async (em) => (await em.execute<Row[]>(OF_STAYS, [arrayOf(ids)])).map(mailOf)),
    revoke: async (tenantId, id, at) =>
      void (await database.inTenant(tenantId, (em) => em.execute(REVOKE, [formatInstant(at), id]))),
    removeOf: async (tenantId, ids, addresses) =>
      void (await database.inTenant(tenantId, (em) => em.execute(REMOVE, [arrayOf(ids), JSON.stringify(addresses)]))),
  };
}

/** Mails by their ids. */
export async function readMails(database: Database, tenantId: TenantId, ids: readonly MailId[]): Promise<StayMail[]> {
  const [rows] = await database.readAtOnce(tenantId, [BY_IDS, arrayOf(ids)]);
  return (rows as Row[]).map(mailOf);
}

const arrayOf = (ids: readonly (MailId | ReservationId)[]): string => `{${ids.join(',')}}`;

function mailOf({ details, revokedAt, ...row }: Row): StayMail {
  return { ...row, ...details, ...(revokedAt !== null && { revokedAt }) };
}
