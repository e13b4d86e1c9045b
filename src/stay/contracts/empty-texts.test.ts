import t from 'tap';

import { guestsQuery } from '../../guests/contracts/guests.ts';
import { companyBody } from '../../money/contracts/companies.ts';
import { paymentBody } from '../../money/contracts/payments.ts';
import { inquiryBody } from './inquiries.ts';
import { createBody, listQuery, modifyBody } from './reservations.ts';

/** Forms and clients send `""` for what nobody has filled in. */
void t.test('an optional text that is empty is absent', async (t) => {
  const stayDetails = { checkIn: '2027-05-01', checkOut: '2027-05-02', roomType: 'STD' };
  const guestInfo = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };

  await t.test('quote token and card token of a booking', async (t) => {
    const body = createBody.parse({
      propertyId: 'seaside',
      guestInfo,
      stayDetails: { ...stayDetails, quoteToken: '', promoCode: 'SPRING' },
      paymentDetails: { method: 'CASH', cardToken: '' },
    });
    t.equal(body.stayDetails.quoteToken, undefined);
    t.equal(body.paymentDetails?.cardToken, undefined);
  });

  await t.test('card token of a payment, and a card still needs one', async (t) => {
    t.equal(paymentBody.parse({ method: 'CASH', cardToken: '' }).cardToken, undefined);
    t.notOk(paymentBody.safeParse({ method: 'CREDIT_CARD', cardToken: '' }).success);
    const raw = paymentBody.safeParse({ method: 'CREDIT_CARD', cardToken: '4111 1111 1111 1111' });
    t.match(raw.error?.issues, [{ params: { code: 'RAW_CARD_NUMBER' } }]);
  });

  await t.test('addresses of a change, a company and an inquiry', async (t) => {
    t.equal(
      modifyBody.parse({ modifications: { guestInfo: { email: '' } } }).modifications.guestInfo.email,
      undefined,
    );
    t.equal(companyBody.parse({ name: 'Acme', contact: { email: '' } }).contact?.email, undefined);
    const inquiry = { propertyId: 'seaside', guestInfo: { ...guestInfo, email: '' }, stayDetails };
    t.equal(inquiryBody.parse(inquiry).guestInfo.email, undefined);
  });

  await t.test('filters of lists', async (t) => {
    t.match(listQuery.parse({ email: '', confirmationNumber: '', externalId: '' }), {
      email: undefined,
      confirmationNumber: undefined,
      externalId: undefined,
    });
    t.equal(guestsQuery.parse({ email: '' }).email, undefined);
  });
});
