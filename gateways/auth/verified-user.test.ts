import t from 'tap';

import { verifiedUser } from './verified-user.ts';

const ISSUER = 'https://issuer.example';
const claims = { sub: 'nora-1', email: 'nora@example.com', email_verified: true, name: 'Nora' };

t.test('an address counts when the issuer says that it is verified', async (t) => {
  const who = { issuer: ISSUER, subject: 'nora-1', email: 'nora@example.com' };
  t.strictSame(verifiedUser(ISSUER, claims), { ...who, name: 'Nora' });
  t.match(verifiedUser(ISSUER, { ...claims, name: ' '.repeat(3) }), { ...who, name: undefined }, 'a name is extra');
  t.match(verifiedUser(ISSUER, { ...claims, name: '\u200b' }), { name: undefined }, 'and one that people see');
  for (const email_verified of [false, 'true', 1, undefined])
    t.equal(verifiedUser(ISSUER, { ...claims, email_verified }), undefined, String(email_verified));
  for (const wrong of [undefined, {}, { ...claims, sub: '' }, { ...claims, email: 'nora' }])
    t.equal(verifiedUser(ISSUER, wrong), undefined);
});
