import t from 'tap';

import { tenantBody } from '../../tenants/contracts/tenants.ts';
import { DAY, property } from '../../testing/property-world.ts';
import { policies } from '../contracts/properties.ts';
import { allTaxes, DEFAULT_POLICIES, followingTenant } from './property.ts';

const VAT = { code: 'VAT', name: 'Value added tax', kind: 'PERCENT', value: 10, included: true, on: 'ALL' } as const;
const CITY = {
  code: 'CITY',
  name: 'City tax',
  kind: 'PER_PERSON_NIGHT',
  value: 2.5,
  minAge: 14,
  maxNights: 7,
} as const;

/** Problems of a list of taxes: where and why. */
function faults(...taxes: object[]): string[] {
  const { error } = policies.safeParse({ taxes });
  return (error?.issues ?? []).map((issue) => {
    const { field = issue.code } = ('params' in issue ? issue.params : {}) as { field?: string };
    return `${issue.path.join('/')} ${field}`;
  });
}

t.test('amounts of taxes are minor units inside, percentages stay, and what is not said is usual', async (t) => {
  const dated = { ...CITY, from: '2026-06-01', to: '2026-06-30' };
  t.strictSame(policies.parse({ taxes: [VAT, dated] }).taxes, [
    VAT,
    { ...CITY, value: 250, included: false, on: 'ROOM', from: DAY, to: DAY + 29 },
  ]);
});

t.test('each inconsistent tax is rejected with a pointer to the wrong member', async (t) => {
  for (const [wrong, expected] of [
    [{ kind: 'PER_MOON' }, 'kind invalid_value'],
    [{ value: -1 }, 'value too_small'],
    [{ value: 100.01 }, 'value TOO_BIG'],
    [{ value: 1.005 }, 'value not_multiple_of'],
    [{ kind: 'PER_NIGHT', value: 100_000_000 }, 'value too_big'],
    [{ kind: 'PER_STAY', included: true }, 'included EXCLUDED'],
    [{ kind: 'PER_STAY', on: 'EXTRA' }, 'on EXCLUDED'],
    [{ kind: 'PER_STAY', maxNights: 3 }, 'maxNights EXCLUDED'],
    [{ on: 'BAR' }, 'on invalid_value'],
    [{ minAge: 14 }, 'minAge EXCLUDED'],
    [{ kind: 'PER_PERSON_NIGHT', minAge: -1 }, 'minAge too_small'],
    [{ kind: 'PER_PERSON_NIGHT', minAge: 19 }, 'minAge too_big'],
    [{ maxNights: 0 }, 'maxNights too_small'],
    [{ from: '2026-02-30' }, 'from NO_SUCH_DATE'],
    [{ from: '2026-06-02', to: '2026-06-01' }, 'to REVERSED'],
    [{ code: 'TAX' }, 'code RESERVED'],
    [{ code: 'NO SPACE' }, 'code invalid_format'],
    [{ rate: 1 }, ' unrecognized_keys'],
  ] as const)
    t.same(faults({ code: 'X', name: 'X', kind: 'PERCENT', value: 5, ...wrong }), [
      `taxes/0${expected.startsWith(' ') ? '' : '/'}${expected}`,
    ]);
  t.same(faults(...Array.from({ length: 21 }, (_, n) => ({ ...VAT, code: `T${n}` }))), ['taxes too_big']);
});

t.test('a code may come again for other dates only', async (t) => {
  const spring = { ...VAT, to: '2026-06-30' };
  const summer = { ...VAT, value: 12, from: '2026-07-01' };
  t.same(faults(spring, summer, CITY), []);
  t.same(faults(VAT, CITY, VAT), ['taxes/2/code DUPLICATE']);
  t.same(faults(VAT, summer), ['taxes/1/from OVERLAPS']);
  t.same(faults(summer, { ...VAT, to: '2026-07-01' }), ['taxes/1/to OVERLAPS']);
});

t.test("the policies are read as taxes; those of a property are not its tenant's", async (t) => {
  t.same(allTaxes(DEFAULT_POLICIES), []);
  const taxes = policies.parse({ taxes: [VAT] }).taxes!;
  const own = property({ policies: { taxPercent: 6, feePerNight: 150, feePerPersonNight: 200, taxes } });
  t.match(allTaxes(own.metadata.policies), [
    { code: 'TAX', kind: 'PERCENT', value: 6 },
    { code: 'FEES', kind: 'PER_NIGHT', value: 150 },
    { code: 'FEES', kind: 'PER_PERSON_NIGHT', value: 200 },
    VAT,
  ]);
  const ofTenant = { name: 'Acme', config: { policies: { taxes: [VAT] } } };
  t.equal(tenantBody.safeParse(ofTenant).error?.issues.length, 1, 'a tenant says none');
  t.equal(followingTenant(own, {}), undefined, 'what the tenant says nothing of');
  const without = { ...own, metadata: { ...own.metadata, ownPolicies: {} } };
  t.match(followingTenant(without, { taxPercent: 7 })?.metadata.policies, { taxPercent: 7, taxes: [VAT] });
});
