import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

type Experiment = {
  id: string;
  status: string;
  startDate: string;
  endDate: string;
  result: { finding: string | null };
};

/** Rates that are tried on drawn days (docs/reference/price-experiments.md#price-experiments). */
export async function priceExperiments(group: Test, service: Service): Promise<void> {
  await group.test('an experiment is drawn, listed, read and stopped', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { propertyId } = property;
    const body = { propertyId, name: 'Five more', treatment: { adjustmentPercent: 5 }, pairs: 14 };
    const begin = (more: object = {}, options: object = {}) =>
      service.rates<Experiment>('POST', '/experiments', { body: { ...body, ...more }, ...options });
    isProblem(t, await begin({ treatment: { adjustmentPercent: 0 } }), 400, { pointers: ['/treatment'] });
    isProblem(t, await begin({ pairs: 180, blockDays: 7 }), 400, { pointers: ['/pairs'] });
    for (const startDate of ['9999-12-30', property.day(366)])
      isProblem(t, await begin({ startDate }), 400, { pointers: ['/startDate'] });
    for (const id of ['x', '1'.repeat(200), `${randomUUID()}x`, randomUUID()]) {
      isProblem(t, await service.rates('GET', `/experiments/${id}`), 404, { code: 'EXPERIMENT_NOT_FOUND' });
      isProblem(t, await service.rates('POST', `/experiments/${id}/stop`), 404, { code: 'EXPERIMENT_NOT_FOUND' });
    }
    isProblem(t, await begin({ treatment: { price: 5 } }), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await begin({}, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    const headers = { 'idempotency-key': randomUUID() };
    const begun = must(await begin({}, { headers }), 201).json;
    t.match(begun, {
      rateCode: 'BAR',
      treatment: { adjustmentPercent: 5 },
      control: { adjustmentPercent: 0 },
      startDate: property.day(1),
      endDate: property.day(28),
      status: 'RUNNING',
      result: { control: { days: 0 }, treatment: { days: 0 }, finding: null, uplift: null },
    });
    t.equal(must(await begin({}, { headers }), 201).json.id, begun.id, 'a repeat begins no other');
    isProblem(t, await begin(), 409, { code: 'ALREADY_EXISTS' });
    const list = must(
      await service.rates<{ items: Experiment[] }>('GET', `/experiments?propertyId=${propertyId}`),
      200,
    ).json;
    t.same(
      list.items.map(({ id }) => id),
      [begun.id],
    );
    const path = `/experiments/${begun.id}`;
    t.match(must(await service.rates('GET', path), 200).json, { id: begun.id, stopReason: null });
    isProblem(t, await service.rates('GET', path, { tenant: 'rival' }), 404, { code: 'EXPERIMENT_NOT_FOUND' });
    const stopped = must(await service.rates<Experiment>('POST', `${path}/stop`), 200).json;
    t.match(stopped, { status: 'STOPPED', stopReason: 'BY_USER', result: { finding: 'TOO_FEW' } });
    isProblem(t, await service.rates('POST', `${path}/stop`), 409, { code: 'INVALID_STATE' });
  });
}
