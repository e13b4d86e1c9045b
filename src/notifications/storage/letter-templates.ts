import type { EntityManager } from '@mikro-orm/postgresql';

import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { Language } from '../../kernel/rules/languages.ts';
import { TenantBatches } from '../../platform/database/batch-loader.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { appendAdministration, takeTurn } from '../../tenants/storage/administration-journal.ts';
import type { LetterTemplate, LetterTemplates } from '../ports.ts';
import { LETTER_PARTS, type LetterKind, type OwnTexts } from '../rules/letter-kinds.ts';

/** Texts looked up in one query. */
const MAX_AT_ONCE = 64;

const COLUMNS = `kind, language, subject, opening, closing, version, changed_by as by, ${ms('changed_at')} as at`;
const LIST = `select ${COLUMNS} from letter_templates where tenant_id = ? and property_id = ?`;
const GET = `${LIST} and kind = ? and language = ?`;
/** Parameters: tenant, names of letters as JSON. */
const GET_ALL = `
  select property_id as "propertyId", ${COLUMNS} from letter_templates
  where tenant_id = ? and (property_id, kind, language) in (
    select "propertyId", x.kind, x.language from json_to_recordset(?::json) as x ("propertyId" text, kind text, language text))`;
const PUT = `
  insert into letter_templates as old
    (tenant_id, property_id, kind, language, subject, opening, closing, changed_by)
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (tenant_id, property_id, kind, language) do update
  set subject = excluded.subject, opening = excluded.opening, closing = excluded.closing,
    changed_by = excluded.changed_by, changed_at = excluded.changed_at, version = old.version + 1`;

type Row = Omit<LetterTemplate, 'texts'> & Record<keyof OwnTexts, string | null>;

type Named = Pick<LetterTemplate, 'kind' | 'language'> & { propertyId: PropertyId };

const nameOf = ({ propertyId, kind, language }: Named): string => [propertyId, kind, language].join('\n');

/** Own texts for letters in PostgreSQL. */
export function databaseLetterTemplates(database: Database): LetterTemplates {
  const letters = new TenantBatches<Named, LetterTemplate | undefined>(MAX_AT_ONCE, async (tenantId, wanted) => {
    const [rows] = await database.readAtOnce(tenantId, [GET_ALL, tenantId, JSON.stringify(wanted)]);
    const found = new Map((rows as (Row & Named)[]).map((row) => [nameOf(row), templateOf(row)]));
    return wanted.map((one) => found.get(nameOf(one)));
  });
  return {
    list: ({ tenantId, propertyId }) =>
      database.readTenant(tenantId, async (em) =>
        (await em.execute<Row[]>(`${LIST} order by kind, language`, [tenantId, propertyId])).map(templateOf),
      ),
    get: ({ tenantId, propertyId }, kind, language) => letters.ask(tenantId, { propertyId, kind, language }),
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
