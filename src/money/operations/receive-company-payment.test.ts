import t from 'tap';

import { NOW, property, PROPERTY_ID } from '../../testing/property-world.ts';
import type { CompanyPayment } from '../rules/company.ts';
import { receiveCompanyPayment } from './receive-company-payment.ts';

t.test('a company pays what its currency has', async (t) => {
  const view = async () => ({ currency: 'JPY', setup: { property: property({ currency: 'JPY' }) } });
  const receive = async (_caller: unknown, payment: CompanyPayment) => ({ result: payment });
  const services = { companies: { receive }, properties: { view }, clock: { now: () => NOW } } as never;
  const pay = (amount: number, currency?: string, propertyId = PROPERTY_ID.propertyId) => {
    const body = { propertyId, amount, currency, method: 'CASH' } as const;
    return receiveCompanyPayment(services, { tenantId: PROPERTY_ID.tenantId } as never, 'acme', body);
  };
  const refused = {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/amount', code: 'NO_CENTS', detail: /JPY/ }] },
  };
  await t.rejects(pay(1_050), refused);
  t.match(await pay(1_000), { result: { amount: 1_000, currency: 'JPY' } });
  await t.rejects(pay(1_000, 'JPY', 'inn--sandbox-1'), { code: 'INVALID_STATE' }, 'not for invented guests');
  t.match(await pay(1_050, 'EUR'), { result: { amount: 1_050, currency: 'EUR' } });
});
