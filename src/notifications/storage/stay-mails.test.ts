import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { databaseStayPages } from '../../stay/storage/stay-pages.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { freshId, NOW, PROPERTY_ID } from '../../testing/property-world.ts';
import { STAY_MAIL_KINDS, type StayMailKind } from '../rules/stay-mail.ts';
import { databaseStayMails } from './stay-mails.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const mails = databaseStayMails(database);
const pages = databaseStayPages(database);
t.teardown(() => database[Symbol.asyncDispose]());

const { tenantId, propertyId } = PROPERTY_ID;

void t.test('revoking the links of a stay revokes the mails with links that were ordered before', async (t) => {
  const reservationId = freshId();
  const order = async (kind: StayMailKind, at: number): Promise<string> => {
    const mailId = freshId();
    const mail = { mailId, propertyId, reservationId, kind, address: 'ada@example.com', by: 'eve', at };
    await mails.add(tenantId, { ...mail, expiresAt: at + 86_400_000 });
    return mailId;
  };
  const before = new Map<StayMailKind, string>();
  for (const kind of STAY_MAIL_KINDS) before.set(kind, await order(kind, NOW));
  await pages.revokeLinks(tenantId, { reservationId, propertyId }, NOW + 1_000);
  const after = await order('STAY_LINK', NOW + 1_000);
  const revokedAt = async (id: string | undefined) => (await mails.get(tenantId, id!))?.revokedAt;
  t.equal(await revokedAt(before.get('STAY_LINK')), NOW + 1_000);
  t.equal(await revokedAt(before.get('PAYMENT_LINK')), NOW + 1_000);
  t.equal(await revokedAt(before.get('INVOICE')), undefined, 'it has no link to the stay');
  t.equal(await revokedAt(after), undefined);
});
