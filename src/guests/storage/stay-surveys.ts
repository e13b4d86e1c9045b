import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { StaySurveys } from '../ports.ts';
import type { StaySurvey } from '../rules/stay-survey.ts';

const KEEP = `
  insert into stay_surveys (tenant_id, reservation_id, rating, comment)
  select r.tenant_id, r.id, ?::int, ?::text
  from reservations r join guests g on g.tenant_id = r.tenant_id and g.id = r.guest_id
  where r.tenant_id = ? and r.id = ? and r.status = 'CHECKED_OUT' and r.deleted_at is null and g.deleted_at is null
  on conflict do nothing returning rating`;

const SURVEY = `s.rating, s.comment, ${ms('s.answered_at')}::float8 as "answeredAt"`;
const OF = `select ${SURVEY} from stay_surveys s where s.tenant_id = ? and s.reservation_id = ?`;
const OF_GUEST = `
  select s.reservation_id as id, ${SURVEY}
  from stay_surveys s join reservations r on r.tenant_id = s.tenant_id and r.id = s.reservation_id
  where s.tenant_id = ? and r.tenant_id = s.tenant_id and r.guest_id = any (guest_ids_v1(?, ?::uuid))`;

type Row = Omit<StaySurvey, 'comment'> & { comment: string | null };

export function databaseStaySurveys(database: Database): StaySurveys {
  return {
    async store(tenantId, reservationId, { rating, comment = null }) {
      const values = [rating, comment, tenantId, reservationId];
      const rows = await database.inTenant(tenantId, (em) => em.execute(KEEP, values));
      return (rows as unknown as unknown[]).length > 0;
    },
    async of(tenantId, reservationId) {
      if (!isUuid(reservationId)) return undefined;
      const rows = await database.readTenant(tenantId, (em) => em.execute(OF, [tenantId, reservationId]));
      const [row] = rows as unknown as Row[];
      return row && surveyOf(row);
    },
    async ofGuest(tenantId, guestId) {
      const rows = await database.readTenant(tenantId, (em) => em.execute(OF_GUEST, [tenantId, tenantId, guestId]));
      return new Map((rows as unknown as (Row & { id: string })[]).map((row) => [row.id, surveyOf(row)]));
    },
  };
}

function surveyOf({ rating, comment, answeredAt }: Row): StaySurvey {
  return { rating, ...(comment !== null && { comment }), answeredAt };
}
