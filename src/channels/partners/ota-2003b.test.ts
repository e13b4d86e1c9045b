import { XMLValidator } from 'fast-xml-parser';
import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import type { ChannelRequest } from '../ports.ts';
import type { ChannelMessage } from '../rules/channel.ts';
import { ota2003b } from './ota-2003b.ts';

const LINE = { roomType: 'STD', ratePlan: 'BAR', externalRoom: 'TWIN', externalRate: 'BEST' };
const OPEN = { closed: false, closedToArrival: false, closedToDeparture: false, minStay: 1, maxStay: 0 };
const [from, to] = [dayOf('2026-11-21'), dayOf('2026-11-30')];
const MESSAGE: ChannelMessage = {
  messageId: '0f8b-1',
  at: Date.parse('2026-11-01T10:00:00.123Z'),
  propertyId: 'harbor',
  currency: 'EUR',
  runs: [
    { ...LINE, from, to: from, rate: 45_623 },
    { ...LINE, from, to, availability: 7, restrictions: { ...OPEN, closed: true, minStay: 3, maxStay: 4 } },
    { ...LINE, externalRate: 'B&B "<1>"\u0007', from, to, availability: 0, rate: 11_100 },
  ],
};
const [availability, rates] = ota2003b.requestsOf(MESSAGE) as [ChannelRequest, ChannelRequest];
const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?><NAME xmlns="http://www.opentravel.org/OTA/2003/05" EchoToken="0f8b-1" ' +
  'TimeStamp="2026-11-01T10:00:00+00:00" Version="1.0">';
const CONTROL =
  '<StatusApplicationControl Start="2026-11-21" End="2026-11-30" InvTypeCode="TWIN" RatePlanCode="BEST"/>';
const record = (locator: number, content: string, attributes = ''): string =>
  `<AvailStatusMessage LocatorID="${locator}"${attributes}>${CONTROL}${content}</AvailStatusMessage>`;

const answer = (content: string, attributes = 'EchoToken="0f8b-1"', name = 'OTA_HotelAvailNotifRS'): string =>
  `<?xml version="1.0"?><${name} xmlns="http://www.opentravel.org/OTA/2003/05" ${attributes}>${content}</${name}>`;
const outcome = (body: string, status = 200, request = availability) =>
  ota2003b.requestOutcome({ status, body }, request);
const taken = (...rejected: object[]) => ({ isTaken: true, rejected });
const not = (why: string) => ({ isTaken: false, why });

t.test('availability and restrictions are one message on one line, both days inclusive', async (t) => {
  t.match(availability, { method: 'POST', contentType: 'text/xml; charset=utf-8' });
  t.equal(
    availability.body,
    `${HEAD.replace('NAME', 'OTA_HotelAvailNotifRQ')}<AvailStatusMessages HotelCode="harbor">` +
      record(1, '', ' BookingLimit="7"') +
      record(
        2,
        '<LengthsOfStay ArrivalDateBased="true"><LengthOfStay MinMaxMessageType="SetMinLOS" Time="3" TimeUnit="Day"/>' +
          '<LengthOfStay MinMaxMessageType="SetMaxLOS" Time="4" TimeUnit="Day"/></LengthsOfStay>',
      ) +
      record(3, '<RestrictionStatus Restriction="Master" Status="Close"/>') +
      record(4, '<RestrictionStatus Restriction="Arrival" Status="Open"/>') +
      record(5, '<RestrictionStatus Restriction="Departure" Status="Open"/>') +
      record(6, '', ' BookingLimit="0"').replace('BEST', 'B&amp;B &quot;&lt;1&gt;&quot;') +
      '</AvailStatusMessages></OTA_HotelAvailNotifRQ>',
  );
  t.equal(XMLValidator.validate(availability.body), true);
  t.same(
    availability.runs.map(({ rate, availability }) => [rate, availability]),
    [
      [undefined, 7],
      [undefined, 0],
    ],
    'the runs have what is in this message, and no more',
  );
});

t.test('rates are a message of their own, with the currency and the occupancy of a price', async (t) => {
  const amount =
    '<BaseByGuestAmt AgeQualifyingCode="10" NumberOfGuests="2" AmountAfterTax="456.23" CurrencyCode="EUR"/>';
  t.match(
    rates.body,
    `${HEAD.replace('NAME', 'OTA_HotelRateAmountNotifRQ')}<RateAmountMessages HotelCode="harbor">` +
      `<RateAmountMessage LocatorID="1">${CONTROL.replace('11-30', '11-21')}<Rates><Rate><BaseByGuestAmts>${amount}` +
      '</BaseByGuestAmts></Rate></Rates></RateAmountMessage>',
  );
  t.match(rates.body, 'AmountAfterTax="111.00"');
  t.equal(XMLValidator.validate(rates.body), true);
  t.same(
    rates.runs.map(({ rate, availability }) => [rate, availability]),
    [
      [45_623, undefined],
      [11_100, undefined],
    ],
  );
});

t.test(
  'nights in a row of which the same is said are one record, and its warning is one for all of their runs',
  async (t) => {
    const days = Array.from({ length: 5 }, (_, n) => ({ ...LINE, from: from + n, to: from + n, availability: 7 }));
    const runs = days.map((run, n) => ({
      ...run,
      rate: 10_000 + n,
      restrictions: { ...OPEN, closedToArrival: n === 2 },
      ...(n === 4 && { availability: 6 }),
    }));
    const [first, second] = ota2003b.requestsOf({ ...MESSAGE, runs }) as [ChannelRequest, ChannelRequest];
    const records = [...first.body.matchAll(/LocatorID="(\d)".*?-(\d\d)" End="2026-11-(\d\d)"/g)];
    t.same(
      records.map(([, locator, start, end]) => `${locator}: ${start} to ${end}`),
      [
        '1: 21 to 24',
        '2: 21 to 25',
        '3: 21 to 25',
        '4: 21 to 22',
        '5: 21 to 25',
        '6: 23 to 23',
        '7: 24 to 25',
        '8: 25 to 25',
      ],
    );
    t.equal(second.body.match(/LocatorID/g)?.length, 5, 'rates differ');
    const body = answer('<Success/><Warnings><Warning Code="402" RecordID="4"/><Warning RecordID="8"/></Warnings>');
    t.match(outcome(body, 200, first), { rejected: [{ index: 0 }, { index: 1 }, { index: 4 }] });
  },
);

t.test('a message is sent only where it says something; a longest stay that ends is removed', async (t) => {
  const of = (...runs: ChannelMessage['runs']) => ota2003b.requestsOf({ ...MESSAGE, runs });
  t.equal(of({ ...LINE, from, to, rate: 1 }).length, 1);
  t.equal(of({ ...LINE, from, to, availability: 1 }).length, 1);
  t.equal(of().length, 0);
  const [request] = of({ ...LINE, from, to, restrictions: OPEN });
  t.match(request?.body, '<LengthOfStay MinMaxMessageType="RemoveMaxLOS"/>');
  t.notMatch(request?.body, 'BookingLimit');
  t.notOk(ota2003b.readBack);
});

t.test('success is taken, also in an envelope and with a prefix', async (t) => {
  t.same(outcome(answer('<Success/>')), taken());
  t.same(outcome(answer('<Success></Success>', '')), taken());
  const soap = (content: string): string =>
    `<soap:Envelope xmlns:soap="urn:soap"><soap:Header/><soap:Body>${content}</soap:Body></soap:Envelope>`;
  t.same(outcome(soap(answer('<o:Success/>', 'xmlns:o="urn:o"', 'o:OTA_HotelAvailNotifRS').slice(21))), taken());
  t.same(outcome(soap('<soap:Fault><faultcode>x</faultcode></soap:Fault>')), not('it answers a SOAP fault'));
  t.same(outcome(answer('<Success/>', '', 'OTA_HotelRateAmountNotifRS'), 200, rates), taken());
});

t.test('a warning rejects the run of its record; one without a record is a hint', async (t) => {
  const warnings = (...all: string[]): string =>
    answer(`<Success/><Warnings>${all.map((one) => `<Warning ${one}/>`).join('')}</Warnings>`);
  t.same(outcome(warnings('Type="3" Code="402" RecordID="6"')), taken({ index: 1, why: '402' }));
  t.same(
    outcome(warnings('Type="3" RecordID="3"', 'Type="Call Jane" RecordID="2"', 'Type="7" RecordID="6"')),
    taken({ index: 0, why: 'no reason that is a code' }, { index: 1, why: '7' }),
  );
  t.same(outcome(warnings('Type="3" Code="900" ShortText="Soon gone"')), taken());
  t.same(outcome(warnings('Code="497" Status="NotProcessed"')), not('it has not processed the message (497)'));
  t.same(outcome(warnings('Code="1" RecordID="7"')), not('it warns of a record it was not sent (1)'));
  t.same(outcome(warnings('RecordID="x"')), not('it warns of a record it was not sent'));
  const many = Array.from({ length: 2_000 }, (_, n) => `Type="3" RecordID="${(n % 6) + 1}"`);
  t.match(outcome(warnings(...many)), { rejected: { length: 2 } }, 'bounded by what was sent');
});

t.test('errors are not taken, and only their codes are repeated', async (t) => {
  const errors = '<Errors><Error Type="3" Code="450">Jane Doe</Error><Error Type="10"/><Error/></Errors>';
  t.same(outcome(answer(errors)), not('it answers errors (450 10)'));
  t.same(outcome(answer(`<Success/>${errors}`)), not('it answers errors (450 10)'));
  t.same(outcome(answer(errors, '', 'OTA_ErrorRS')), not('it answers errors (450 10)'));
  t.same(outcome(answer('<Errors/>')), not('it answers errors'));
  t.same(outcome(answer(errors), 500), not('it answers 500'));
});

t.test('what is no answer to the message is not taken', async (t) => {
  t.same(outcome(answer('<Success/>', 'EchoToken="other"')), not('its answer has the EchoToken of another message'));
  t.same(outcome(answer('<Success/>', '', 'OTA_PingRS')), not('its answer is not one to this message'));
  t.same(outcome(answer('<Success/>'), 200, rates), not('its answer is not one to this message'));
  t.same(outcome(answer('<Ok/>', 'Success="true"')), not('it answers neither success nor errors'));
  t.same(outcome('<!doctype html><html><body>Sign in</body></html>'), not('it answers a page, no OTA message'));
  t.same(outcome('<html><p>x</html>'), not('it answers a page, no OTA message'));
  for (const body of ['', 'OK', '{"ok": true}', answer('<Success/>').slice(0, -4), answer('<Success>')])
    t.same(outcome(body), not('its answer is no well-formed XML'), body);
  t.same(outcome(answer(`<Success/>${' '.repeat(200_000)}`)), not('its answer is too long'));
  t.same(outcome('', 302), not('it redirects, which is not followed'));
});

t.test('entities are not expanded', async (t) => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
  const body = answer('<Errors><Error Type="3" Code="&b;"/></Errors>');
  t.same(outcome(bomb + body.slice(21)), not('its answer declares a document type'));
  t.same(outcome(body), not('it answers errors (3)'), 'nor repeated as they are written');
  t.same(outcome(answer(`<Success/>${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`)).isTaken, false, 'nor depth');
});
