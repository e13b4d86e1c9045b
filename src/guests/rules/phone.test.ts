import t from 'tap';

import { phoneDigitsOf } from './phone.ts';

t.test('a phone number is searched by its digits, however it is written', async (t) => {
  for (const text of ['+34 600-123', '0034 (600) 123', '34.600.123', '34/600 123'])
    t.equal(phoneDigitsOf(text), '34600123', text);
  t.equal(phoneDigitsOf('0600 123'), '600123', 'without the zero of a national number');
  for (const text of ['123', 'Room 1234', 'ada', '000', undefined]) t.equal(phoneDigitsOf(text), undefined);
});
