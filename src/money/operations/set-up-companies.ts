import { v7 as uuidv7 } from 'uuid';

import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Done } from '../../kernel/rules/administration.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { CompanyBody } from '../contracts/companies.ts';
import type { ListedCompany } from '../rules/company.ts';

type SettingUp = Pick<Services, 'companies'>;

/**
 * A company that stays are invoiced to (docs/reference/companies.md#companies).
 * @throws DomainError ALREADY_EXISTS where another one stands behind its channel
 */
export async function createCompany(
  { companies }: SettingUp,
  caller: Caller,
  body: CompanyBody,
  key?: ClientKey,
): Promise<Done<ListedCompany>> {
  return companies.create(caller, definedMembers({ companyId: uuidv7(), ...body }), key);
}

/**
 * Replaces what is known of it.
 * @throws DomainError COMPANY_NOT_FOUND, ALREADY_EXISTS, INVALID_STATE where it leaves a channel that is not settled
 */
export async function changeCompany(
  { companies }: SettingUp,
  caller: Caller,
  companyId: string,
  body: CompanyBody,
  key?: ClientKey,
): Promise<Done<ListedCompany>> {
  return companies.change(caller, definedMembers({ companyId: companyId.toLowerCase(), ...body }), key);
}

/** Softly. @throws DomainError COMPANY_NOT_FOUND, INVALID_STATE while it owes, or something open names it */
export async function removeCompany(
  { companies }: SettingUp,
  caller: Caller,
  companyId: string,
  key?: ClientKey,
): Promise<Done<null>> {
  return companies.remove(caller, companyId, key);
}
