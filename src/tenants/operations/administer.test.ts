import t from 'tap';

import {
  createMapping,
  changeMapping,
  getMapping,
  listMappings,
  removeMapping,
  restoreMapping,
} from '../../channels/operations/set-up-mappings.ts';
import { databaseChannels } from '../../channels/storage/channels.ts';
import { SignedText } from '../../kernel/operations/signed-text.ts';
import type { Role } from '../../kernel/rules/caller.ts';
import type { DomainError } from '../../kernel/rules/domain-error.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { SubscriptionChanges } from '../../subscriptions/operations/subscription-changes.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import { databaseAdministration } from '../storage/tenant-records.ts';
import { databaseUserNames } from '../storage/user-names.ts';
import { changeTenant, readTenant } from './change-tenant.ts';
import { foundTenant, setTenantStatus } from './operate-tenants.ts';
import { associate, changeRole, dissociate, getAssociation, restoreAssociation } from './set-up-associations.ts';
import { changeUser, createUser, getUser, listUsers, removeUser, restoreUser } from './set-up-users.ts';
import { TenantChanges } from './tenant-changes.ts';
import { whoNames } from './who-names.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const services = {
  administration: databaseAdministration(database),
  tenantChanges: new TenantChanges(),
  signed: new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]),
  issuer: 'http://issuer.test',
  channels: databaseChannels(database),
  subscriptionChanges: new SubscriptionChanges(),
};
const changed: string[] = [];
services.tenantChanges.on('changed', (tenantId) => changed.push(tenantId));

let tenants = 0;
const key = (name: string) => ({ key: name, fingerprint: 'f' });

/** A tenant with one owner, and a caller. */
async function founded() {
  const tenantId = `tenant-${(tenants += 1)}`;
  const by = { tenantId, subject: 'operator', requestId: 'r-1' };
  const wish = { tenantId, name: 'A tenant', type: 'CHAIN', status: 'TRIAL', config: {}, subscription: {} } as const;
  const { result } = await foundTenant(services, by, { ...wish, ownerUser: { subject: 'olivia' } });
  return { tenantId, by, owner: result.owner.id };
}

async function journalOf(tenantId: string): Promise<string[]> {
  const { rows } = await admin.query<{ what: string }>(
    `select entity || ' ' || action as what from administration_journal where tenant_id = $1 order by seq`,
    [tenantId],
  );
  return rows.map(({ what }) => what);
}

t.test('an operator makes a tenant with its owner, once under a key', async (t) => {
  const by = { tenantId: 'new', subject: 'operator', requestId: 'r-1' };
  const what = { tenantId: 'new', name: 'New', type: 'INDEPENDENT', status: 'ACTIVE', config: {} } as const;
  const ownerUser = { subject: 'olivia', email: 'olivia@example.com' };
  const wish = { ...what, subscription: { plan: 'gold' }, ownerUser };
  const first = await foundTenant(services, by, wish, key('k1'));
  t.match(first, { replayed: false, result: { tenant: { status: 'ACTIVE', subscription: { plan: 'gold' } } } });
  t.strictSame(await foundTenant(services, by, wish, key('k1')), { ...first, replayed: true });
  await t.rejects(foundTenant(services, by, wish), { code: 'ALREADY_EXISTS' });
  t.same(await journalOf('new'), ['tenant CREATED']);
  const { rows } = await admin.query(
    `select u.sub, u.iss, a.role from users u join user_tenant_associations a on a.tenant_id = u.tenant_id
       and a.user_id = u.id where u.tenant_id = 'new'`,
  );
  t.same(rows, [{ sub: 'olivia', iss: 'http://issuer.test', role: 'OWNER' }]);
  t.match((await setTenantStatus(services, by, 'SUSPENDED')).result, { name: 'New', status: 'SUSPENDED' });
  await t.rejects(setTenantStatus(services, { ...by, tenantId: 'nobody' }, 'ACTIVE'), { code: 'TENANT_NOT_FOUND' });
  t.ok(changed.includes('new'));
});

t.test('an owner changes name and config of the tenant, its status not', async (t) => {
  const { tenantId, by } = await founded();
  const config = { policies: { taxPercent: 7 } };
  const { result } = await changeTenant(services, by, { name: 'Other', status: 'TRIAL', config });
  t.match(result, { name: 'Other', type: 'CHAIN', config });
  t.strictSame(await readTenant(services, tenantId), result);
  const other = changeTenant(services, by, { name: 'Other', status: 'ACTIVE', config });
  await t.rejects(other, { code: 'ROLE_TOO_LOW' });
  t.same((await changeTenant(services, by, { name: 'Other', config: {} })).result.config, {});
  const unsaid = { name: undefined, type: undefined, status: undefined, config };
  t.match((await changeTenant(services, by, unsaid as never)).result, { name: 'Other', type: 'CHAIN', config });
});

t.test('the life of a user and of his role', async (t) => {
  const { tenantId, by } = await founded();
  const { result: user } = await createUser(services, by, { subject: 'mara', email: 'mara@example.com' });
  t.match(await getUser(services, tenantId, user.id), { subject: 'mara', issuer: services.issuer });
  const again = createUser(services, by, { subject: 'mara' });
  await t.rejects(again, { code: 'ALREADY_EXISTS', details: { extra: { userId: user.id } } });
  const userNames = databaseUserNames(database);
  const namesFor = (role: Role) => whoNames({ userNames }, { tenantId, role }, [user.id, 'mara', 'nobody', null]);
  t.same([...(await namesFor('STAFF')).values()], ['mara@example.com', 'mara@example.com'], 'by id and by subject');
  const { result: changed } = await changeUser(services, by, user.id, { name: 'Mara' });
  t.equal((await namesFor('STAFF')).get('mara'), 'Mara');
  t.equal((await namesFor('VIEWER')).size, 0, 'a viewer learns no names');
  t.match(changed, { name: 'Mara', subject: 'mara' });
  t.notOk('email' in changed, 'what is not named is no more');
  t.match((await associate(services, by, { userId: user.id, role: 'STAFF' })).result, { role: 'STAFF' });
  await t.rejects(associate(services, by, { userId: user.id, role: 'ADMIN' }), { code: 'ALREADY_EXISTS' });
  await changeRole(services, by, user.id, 'VIEWER');
  await dissociate(services, by, user.id);
  await t.rejects(getAssociation(services, tenantId, user.id), { code: 'ASSOCIATION_NOT_FOUND' });
  t.match((await restoreAssociation(services, by, user.id)).result, { role: 'VIEWER' });
  await t.rejects(restoreAssociation(services, by, user.id), { code: 'INVALID_STATE' });
  await removeUser(services, by, user.id);
  await t.rejects(getUser(services, tenantId, user.id), { code: 'USER_NOT_FOUND' });
  await t.rejects(associate(services, by, { userId: user.id, role: 'ADMIN' }), { code: 'UNKNOWN_USER' });
  await t.rejects(createUser(services, by, { subject: 'mara' }), { code: 'ALREADY_EXISTS' });
  t.match((await restoreUser(services, by, user.id)).result, { subject: 'mara', name: 'Mara' });
  for (const id of ['nobody', '00000000-0000-7000-8000-000000000000'])
    await t.rejects(removeUser(services, by, id), { code: 'USER_NOT_FOUND' });
  t.same(await journalOf(tenantId), [
    'tenant CREATED',
    'user CREATED',
    'user CHANGED',
    'association CREATED',
    'association CHANGED',
    'association REMOVED',
    'association RESTORED',
    'user REMOVED',
    'user RESTORED',
  ]);
  const { rows } = await admin.query(
    `select from administration_journal where tenant_id = $1 and (before::text || after::text) ~ 'example.com|Mara'`,
    [tenantId],
  );
  t.equal(rows.length, 0, 'the journal says whom, and keeps no e-mail');
  const { result: other } = await createUser(services, by, { subject: 'nils', name: 'Nils' });
  t.notOk('name' in (await changeUser(services, by, other.id, { name: undefined })).result, 'nor without a value');
});

t.test('a tenant keeps an owner, whichever is removed first', async (t) => {
  const { by, owner } = await founded();
  const last = { code: 'INVALID_STATE' };
  await t.rejects(dissociate(services, by, owner), last);
  await t.rejects(changeRole(services, by, owner, 'ADMIN'), last);
  await t.rejects(removeUser(services, by, owner), last);
  await changeRole(services, by, owner, 'OWNER');
  const { result: second } = await createUser(services, by, { subject: 'second' });
  await associate(services, by, { userId: second.id, role: 'OWNER' });
  for (let round = 0; round < 10; round++) {
    const lowered = [owner, second.id].map((id) => changeRole(services, by, id, 'STAFF'));
    const both = await Promise.allSettled(lowered);
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [(one.reason as DomainError).code] : []));
    t.same(refused, ['INVALID_STATE'], 'of two at once one is too late');
    for (const id of [owner, second.id]) await changeRole(services, by, id, 'OWNER');
  }
});

t.test('records of another tenant are not found', async (t) => {
  const [one, two] = [await founded(), await founded()];
  await t.rejects(getUser(services, two.tenantId, one.owner), { code: 'USER_NOT_FOUND' });
  await t.rejects(removeUser(services, two.by, one.owner), { code: 'USER_NOT_FOUND' });
  await t.rejects(getAssociation(services, two.tenantId, one.owner), { code: 'ASSOCIATION_NOT_FOUND' });
  const { result } = await createUser(services, two.by, { subject: 'same-person' });
  t.match((await createUser(services, one.by, { subject: 'same-person' })).replayed, false);
  t.same(
    (await listUsers(services, two.tenantId, { limit: 1 })).items.map(({ id }) => id),
    [result.id],
  );
  const pages: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listUsers(services, two.tenantId, { limit: 1, cursor });
    pages.push(...page.items.map(({ subject }) => subject));
    if (!(cursor = page.nextCursor)) break;
  }
  t.same(pages, ['same-person', 'olivia'], 'newest first, page by page');
});

t.test('a channel knows a room of its own once in a property', async (t) => {
  const { tenantId, by } = await founded();
  const [{ propertyId }, other] = [await storedProperty(admin, tenantId), await storedProperty(admin, tenantId)];
  const to = { tenantId, propertyId };
  const wish = {
    roomType: 'DLX',
    channelName: 'Example Travel',
    channelCode: 'EXT',
    externalRoomId: '4711',
    mappingConfig: { rateMapping: { BAR: 'STD1' }, minRate: 5_000, commission: 12.5 },
  };
  const { result: mapping } = await createMapping(services, by, propertyId, wish);
  t.match(await getMapping(services, to, mapping.id), wish);
  await t.rejects(createMapping(services, by, propertyId, wish), { code: 'ALREADY_EXISTS' });
  await t.rejects(createMapping(services, by, propertyId, { ...wish, roomType: 'NONE' }), {
    code: 'UNKNOWN_ROOM_TYPE',
  });
  await t.rejects(createMapping(services, by, 'no-house', wish), { code: 'PROPERTY_NOT_FOUND' });
  await createMapping(services, by, other.propertyId, wish);
  await t.rejects(getMapping(services, other, mapping.id), { code: 'CHANNEL_MAPPING_NOT_FOUND' });
  const second = await createMapping(services, by, propertyId, { ...wish, externalRoomId: '4712' });
  await t.rejects(changeMapping(services, by, propertyId, second.result.id, wish), { code: 'ALREADY_EXISTS' });
  await removeMapping(services, by, propertyId, mapping.id);
  await t.rejects(getMapping(services, to, mapping.id), { code: 'CHANNEL_MAPPING_NOT_FOUND' });
  t.match((await changeMapping(services, by, propertyId, second.result.id, wish)).result, { externalRoomId: '4711' });
  await t.rejects(restoreMapping(services, by, propertyId, mapping.id), { code: 'ALREADY_EXISTS' });
  await removeMapping(services, by, propertyId, second.result.id);
  t.match((await restoreMapping(services, by, propertyId, mapping.id)).result, wish);
  t.equal((await listMappings(services, to, { limit: 50 })).items.length, 1);
});
