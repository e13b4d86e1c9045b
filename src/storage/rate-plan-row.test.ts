import t from 'tap';
import { dayOf } from '../domain/dates.ts';
import { toRatePlan } from './rate-plan-row.ts';

const at = new Date('2026-11-21T10:00:00Z');
const row = {
  tenant_id: 'demo',
  id: '00000000-0000-4000-8000-000000000001',
  property_id: 'harbor-hotel',
  code: 'EARLY',
  name: 'Early bird',
  strategy: 'EARLYBIRD',
  status: 'ACTIVE',
  base_rate: null,
  currency: 'EUR',
  valid_from: '2026-12-01',
  valid_to: null,
  rules: { minAdvanceBooking: 60, adjustmentPercent: -15, maxRatePercent: 90 },
  cancellation_policy: 'NON_REFUNDABLE',
  created_at: at,
  updated_at: at,
  deleted_at: null,
} as const;

t.test('a plan has its rules, and the defaults of the specification where it says nothing', async (t) => {
  t.same(toRatePlan(row), {
    id: row.id,
    code: 'EARLY',
    name: 'Early bird',
    strategy: 'EARLYBIRD',
    cancellationPolicy: 'NON_REFUNDABLE',
    adjustmentPercent: -15,
    minRatePercent: 0,
    maxRatePercent: 90,
    minLengthOfStay: 1,
    maxLengthOfStay: 30,
    minAdvanceBooking: 60,
    maxAdvanceBooking: 365,
    validFrom: dayOf('2026-12-01'),
    validTo: undefined,
  });
});
