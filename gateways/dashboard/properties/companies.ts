import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { companyListAnswer } from '../../../src/money/contracts/companies.ts';
import { read, type SignedAccess } from '../api.ts';

/** A company that bookings and groups may be invoiced to. */
export type BillableCompany = WireOf<typeof companyListAnswer>['items'][number];

/** Companies that can be invoiced. @throws ApiError */
export async function billableCompanies(access: SignedAccess): Promise<BillableCompany[]> {
  const path = '/api/v1/companies';
  const { items } = await read<WireOf<typeof companyListAnswer>>(access, 'reservation', path, { limit: '200' });
  return items.filter(({ active }) => active);
}
