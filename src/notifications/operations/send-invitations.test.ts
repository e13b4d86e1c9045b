import t from 'tap';

import { PSEUDO_MARKS } from '../../kernel/contracts/messages.ts';
import { SignedText } from '../../kernel/operations/signed-text.ts';
import type { Delivery } from '../../kernel/ports.ts';
import { LANGUAGES } from '../../kernel/rules/languages.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { inviteUser, listInvitations, revokeInvitation } from '../../tenants/operations/invite-users.ts';
import { TenantChanges } from '../../tenants/operations/tenant-changes.ts';
import { databaseAdministration } from '../../tenants/storage/tenant-records.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { letterTextsIn, pseudoLetterTexts } from '../contracts/letter-texts.ts';
import type { Mail } from '../ports.ts';
import { invitationLetter } from '../rules/invitation-letter.ts';
import { mailOfLetter } from '../rules/message.ts';
import { databaseInvitationLetters } from '../storage/invitation-letters.ts';
import { sendInvitations } from './send-invitations.ts';

const { url, admin } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());

const clock = new FakeClock();
const MINUTE = 60_000;
const DAY = 86_400_000;
const alive = new AbortController().signal;
const letters = databaseInvitationLetters(database);
const services = {
  administration: databaseAdministration(database),
  tenantChanges: new TenantChanges(),
  signed: new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]),
  sendsMail: true,
  clock,
};
let tenants = 0;

/** A tenant whose invitations go to a server that answers as a test says. */
async function tenant() {
  const tenantId = `inviting-${++tenants}`;
  await admin.query(
    `insert into tenants (tenant_id, name, type, status, config, subscription, created_at, updated_at)
     values ($1, 'The <Anchor>', 'CHAIN', 'ACTIVE', '{}', '{}', now(), now())`,
    [tenantId],
  );
  const by = { tenantId, subject: 'olivia', requestId: 'r1' };
  const mails: Mail[] = [];
  const office = {
    answer: (): Delivery | Promise<Delivery> => ({ outcome: 'SENT' }),
  };
  const mail = {
    send: async (one: Mail) => {
      mails.push(one);
      return office.answer();
    },
  };
  const signInUrl = (of: string): string => `https://hotel.example/auth/sign-in?tenant=${of}`;
  return {
    mails,
    office,
    invite: async (email: string, language?: 'en' | 'pt', more: object = {}) =>
      (await inviteUser({ ...services, ...more }, by, { email, name: undefined, role: 'STAFF', language })).result,
    revoke: (id: string) => revokeInvitation(services, by, id),
    send: () => sendInvitations({ letters, mail, signInUrl, clock, log: quiet }, tenantId, alive),
    list: async () => (await listInvitations(services, tenantId, { limit: 10 })).items,
    states: async () =>
      (await listInvitations(services, tenantId, { limit: 10 })).items.map((one) => one.letterState),
  };
}

t.test('a letter is sent once, in the language of the inviter, and says where to sign in until when', async (t) => {
  const { mails, invite, send, list } = await tenant();
  await invite('nora@example.com', 'pt');
  t.match(await send(), { taken: 1, partner: 'ANSWERS' });
  t.match(await send(), { taken: 0 });
  t.equal(mails.length, 1);
  t.match(mails[0], {
    to: { address: 'nora@example.com' },
    from: { name: 'The <Anchor>' },
    subject: 'O seu acesso a The <Anchor>',
    text: /Função: +Equipa\n[^]*https:\/\/hotel\.example\/auth\/sign-in\?tenant=inviting-1/,
    html: /<html lang="pt">[^]*The &#60;Anchor&#62;/,
  });
  t.match(await list(), [{ letterState: 'SENT', letterSentAt: clock.now(), invitedBy: 'olivia' }]);
});

t.test('without a language, or where the service sends no mail, there is no letter', async (t) => {
  const { mails, invite, send, states } = await tenant();
  await invite('nora@example.com');
  await invite('rune@example.com', 'en', { sendsMail: false });
  await send();
  t.same([mails.length, await states()], [0, [undefined, undefined]]);
});

t.test('the letter of a revoked invitation is not sent, and one that is replaced is sent once', async (t) => {
  const { mails, invite, revoke, send } = await tenant();
  await revoke((await invite('nora@example.com', 'en')).id);
  await invite('rune@example.com', 'en');
  clock.pass(1);
  await invite('rune@example.com', 'pt');
  await send();
  t.match(mails, [{ to: { address: 'rune@example.com' }, subject: /^O seu acesso/ }]);
  t.equal(mails.length, 1);
});

t.test('one that was not accepted is tried again; one that may have arrived is not', async (t) => {
  const { mails, office, invite, send, list, states } = await tenant();
  await invite('nora@example.com', 'en');
  office.answer = () => ({ outcome: 'AWAY', reason: 'ECONNREFUSED' });
  t.match(await send(), { partner: 'AWAY' });
  t.match(await list(), [{ letterState: 'WAITING', letterError: 'ECONNREFUSED', letterAttempts: 1 }]);
  t.match(await send(), { taken: 0 }, 'not at once');
  clock.pass(DAY / 24);
  office.answer = () => ({ outcome: 'UNKNOWN', reason: 'ECONNRESET' });
  await send();
  t.same(await states(), ['UNKNOWN']);
  clock.pass(DAY / 24);
  await send();
  t.equal(mails.length, 2);
  clock.pass(1);
  await invite('nora@example.com', 'en');
  office.answer = () => ({ outcome: 'REFUSED', reason: 'SMTP 550' });
  await send();
  t.match(await list(), [{ letterState: 'FAILED', letterError: 'SMTP 550' }]);
});

t.test('one whose sender was cut off may have arrived', async (t) => {
  const { mails, office, invite, send, states } = await tenant();
  await invite('nora@example.com', 'en');
  office.answer = () => Promise.reject(new Error('kill -9'));
  const dead = { ...letters, record: () => Promise.reject(new Error('kill -9')) };
  const signInUrl = () => '';
  const mail = { send: async (one: Mail) => (mails.push(one), office.answer()) };
  await t.rejects(
    sendInvitations({ letters: dead, mail, signInUrl, clock, log: quiet }, `inviting-${tenants}`, alive),
  );
  await send();
  t.same(await states(), ['SENDING']);
  clock.pass(5 * MINUTE);
  await send();
  t.same([await states(), mails.length], [['UNKNOWN'], 1]);
});

t.test('an address gets five letters a day and a tenant a hundred, revoked ones included', async (t) => {
  const { invite, revoke } = await tenant();
  for (let n = 0; n < 5; n++) await invite('nora@example.com', 'en');
  await t.rejects(invite('nora@example.com', 'en'), { code: 'QUOTA_EXCEEDED' });
  t.match(await invite('nora@example.com'), { letterState: undefined }, 'without a letter');
  await t.rejects(invite('nora@example.com', 'en'), { code: 'QUOTA_EXCEEDED' }, 'which forgets nothing');
  for (let n = 5; n < 100; n++) await revoke((await invite(`rune-${n}@example.com`, 'en')).id);
  await t.rejects(invite('rune@example.com', 'en'), { code: 'QUOTA_EXCEEDED' });
  clock.pass(DAY);
  t.match(await invite('nora@example.com', 'en'), { letterState: 'WAITING', letters: 1 });
});

t.test('the letter is written in every language, and no text stands outside of the catalogues', async (t) => {
  const invited = {
    email: 'x@y.z',
    name: '1',
    role: 'OWNER' as const,
    tenant: '2',
    url: '#',
    expiresAt: Date.parse('2026-12-05T14:10:00Z'),
  };
  for (const language of LANGUAGES) {
    const texts = letterTextsIn(language);
    const { text } = mailOfLetter(invitationLetter(invited, texts), { name: '2' }, texts);
    t.notMatch(text, /[{}]/, language);
    t.match(text, '14:10');
  }
  const texts = pseudoLetterTexts();
  const { subject, text } = mailOfLetter(invitationLetter(invited, texts), { name: '2' }, texts);
  const [open, close] = PSEUDO_MARKS;
  const marked = new RegExp(`${open}[^${open}${close}]*${close}`, 'g');
  let rest = `${subject}${text}`.replaceAll('x@y.z', '');
  while (marked.test(rest)) rest = rest.replaceAll(marked, '');
  t.notMatch(rest, /\p{L}/u);
});
