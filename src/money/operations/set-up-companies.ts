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
 * Creates a company that stays are invoiced to (docs/reference/companies.md#companies).
 * @throws DomainError ALREADY_EXISTS when its channel already has a company
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
 * Replaces a company.
 * @throws DomainError COMPANY_NOT_FOUND, ALREADY_EXISTS, INVALID_STATE when it leaves a channel whose account is not
 * settled
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

/** Soft-deletes a company. @throws DomainError COMPANY_NOT_FOUND, INVALID_STATE while it has debts or open bookings */
export async function removeCompany(
  { companies }: SettingUp,
  caller: Caller,
  companyId: string,
  key?: ClientKey,
): Promise<Done<null>> {
  return companies.remove(caller, companyId, key);
}
