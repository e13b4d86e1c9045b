import type { z } from 'zod';

import type { TenantId } from '../../kernel/rules/ids.ts';
import { MAX_TENANTS_OF_PERSON, type personAnswer } from '../contracts/person.ts';
import type { Administration, TenantDirectory } from '../ports.ts';

type PersonServices = { administration: Pick<Administration, 'read'>; tenants: Pick<TenantDirectory, 'ofPerson'> };

/**
 * What this installation knows of a person: his tenants and roles, and name and address of his user in one of them.
 */
export async function readPerson(
  { administration, tenants }: PersonServices,
  { issuer, subject }: { issuer: string; subject: string },
  tenantId: TenantId | undefined,
): Promise<z.output<typeof personAnswer>> {
  const own = await tenants.ofPerson(issuer, subject, MAX_TENANTS_OF_PERSON);
  const isOwn = tenantId !== undefined && own.some((one) => one.tenantId === tenantId);
  const user = isOwn
    ? await administration.read(tenantId, (records) => records.find('user', { issuer, subject }))
    : undefined;
  return { issuer, subject, name: user?.name ?? null, email: user?.email ?? null, tenants: own };
}
