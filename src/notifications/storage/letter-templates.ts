import type { EntityManager } from '@mikro-orm/postgresql';

import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Language } from '../../kernel/rules/languages.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { appendAdministration, takeTurn } from '../../tenants/storage/administration-journal.ts';
import type { LetterTemplate, LetterTemplates } from '../ports.ts';
import { LETTER_PARTS, type LetterKind, type OwnTexts } from '../rules/letter-kinds.ts';

const LIST = `
  select kind, language, subject, opening, closing, version, changed_by as by, ${ms('changed_at')} as at
  from letter_templates where tenant_id = ? and property_id = ?`;
const GET = `${LIST} and kind = ? and language = ?`;
const PUT = `
  insert into letter_templates as old
    (tenant_id, property_id, kind, language, subject, opening, closing, changed_by)
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (tenant_id, property_id, kind, language) do update
  set subject = excluded.subject, opening = excluded.opening, closing = excluded.closing,
    changed_by = excluded.changed_by, changed_at = excluded.changed_at, version = old.version + 1`;

type Row = Omit<LetterTemplate, 'texts'> & Record<keyof OwnTexts, string | null>;

/** Own texts for letters in PostgreSQL. */
export function databaseLetterTemplates(database: Database): LetterTemplates {
  return {
    list: ({ tenantId, propertyId }) =>
      database.readTenant(tenantId, async (em) =>
        (await em.execute<Row[]>(`${LIST} order by kind, language`, [tenantId, propertyId])).map(templateOf),
      ),
    async get({ tenantId, propertyId }, kind, language) {
      const [[row] = []] = await database.readAtOnce(tenantId, [GET, tenantId, propertyId, kind, language]);
      return row === undefined ? undefined : templateOf(row as Row);
    },
    put: (by, { propertyId, kind, language, texts }, { key, ifVersion } = {}) =>
      database.inTenant(by.tenantId, (em) =>
        onceUnderKey(em, by, key, async () => {
          const { tenantId, subject: user } = by;
          const of = { tenantId, propertyId };
          await takeTurn(em, tenantId);
          const before = await read(em, of, kind, language);
          if (ifVersion !== undefined && ifVersion !== (before?.version ?? 0))
            throw new DomainError('STALE_VERSION', 'Somebody has changed the letter since you read it.');
          const { subject = null, opening = null, closing = null } = texts;
          await em.execute(PUT, [tenantId, propertyId, kind, language, subject, opening, closing, user]);
          const after = (await read(em, of, kind, language))!;
          await appendAdministration(em, by, {
            entity: 'letter',
            entityId: `${propertyId}/${kind}/${language}`,
            action: Object.keys(texts).length > 0 ? 'CHANGED' : 'RESET',
            before: before?.texts ?? {},
            after: after.texts,
          });
          return after;
        }),
      ),
  };
}

async function read(
  em: EntityManager,
  { tenantId, propertyId }: Address,
  kind: LetterKind,
  language: Language,
): Promise<LetterTemplate | undefined> {
  const [row] = await em.execute<Row[]>(GET, [tenantId, propertyId, kind, language]);
  return row && templateOf(row);
}

function templateOf({ kind, language, version, by, at, ...row }: Row): LetterTemplate {
  const own = LETTER_PARTS.flatMap((part) => (row[part] === null ? [] : [[part, row[part]] as const]));
  return { kind, language, texts: Object.fromEntries(own), version, by, at };
}
