import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, serviceClock } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import { pause } from '../waiting.ts';

type Event = {
  eventId: string;
  name: string;
  from: string;
  to: string;
  effect: string;
  note: string | null;
  version: number;
};
type Events = { items: Event[]; seq: number };

/** What happens in town on the nights of a property (docs/reference/rates.md#calendar-events). */
export async function calendarEvents(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 } });
  const call = <T = Event>(method: string, id = '', options: CallOptions = {}) =>
    service.rates<T>(method, `/calendar-events/${property.propertyId}${id}`, { role: 'MANAGER', ...options });
  const listed = (from = 0, to = 60, more = '') =>
    call<Events>('GET', `?start_date=${property.day(from)}&end_date=${property.day(to)}${more}`, { role: 'VIEWER' });
  const names = async (...of: Parameters<typeof listed>): Promise<string[]> =>
    must(await listed(...of), 200).json.items.map(({ name }) => name);
  const fair = { name: 'Boat show', from: property.day(10), to: property.day(12), effect: 'HIGH', note: 'Hall 4' };
  /** An instant with nothing decided around it. */
  const moment = async (): Promise<string> => {
    await pause(30);
    const { now } = await serviceClock(service);
    await pause(30);
    return now;
  };

  await group.test('an event stands on its nights, and the past knows what it was', async (t) => {
    const before = await moment();
    const made = must(await call('POST', '', { body: fair }), 201);
    t.match(made.json, fair);
    t.match(made.headers['location'], new RegExp(`/calendar-events/${property.propertyId}/${made.json.eventId}$`));
    const holiday = { name: 'Holiday', from: property.day(3), to: property.day(3) };
    t.match(must(await call('POST', '', { body: holiday }), 201).json, { effect: 'MEDIUM', note: null });
    t.same(await names(), ['Holiday', 'Boat show'], 'by their nights');
    t.same(await names(12, 20), ['Boat show'], 'its last night counts');
    t.same(await names(13, 20), []);
    const then = await moment();
    const changed = { ...fair, name: 'Boat and yacht show', note: undefined };
    const path = `/${made.json.eventId}`;
    t.match(must(await call('PUT', path, { body: changed }), 200).json, { name: changed.name, note: null });
    const later = await moment();
    t.same(must(await call('DELETE', path), 200).json, { id: made.json.eventId, status: 'REMOVED' });
    t.same(await names(), ['Holiday']);
    const asOf = (instant: string) => names(0, 60, `&asOf=${encodeURIComponent(instant)}`);
    t.same(await asOf(before), []);
    t.same(await asOf(then), ['Holiday', 'Boat show']);
    t.same(await asOf(later), ['Holiday', 'Boat and yacht show']);
    const gone = { code: 'CALENDAR_EVENT_NOT_FOUND' };
    isProblem(t, await call('PUT', path, { body: fair }), 404, gone);
    isProblem(t, await call('DELETE', path), 404, gone);
    isProblem(t, await listed(0, 60, '&asOf=2999-01-01T00:00:00Z'), 400, {
      code: 'VALIDATION_FAILED',
      parameters: ['asOf'],
    });
  });

  await group.test('the second editor learns of the first', async (t) => {
    const { json, headers } = must(await call('POST', '', { body: fair }), 201);
    const path = `/${json.eventId}`;
    const etag = headers['etag']!;
    t.equal(etag, `"${json.version}"`);
    const change = (name: string) => call('PUT', path, { body: { ...fair, name }, headers: { 'if-match': etag } });
    const changed = must(await change('First'), 200);
    isProblem(t, await change('Second'), 412, { code: 'STALE_VERSION' });
    const remove = (match: string) => call('DELETE', path, { headers: { 'if-match': match } });
    isProblem(t, await remove(etag), 412, { code: 'STALE_VERSION' });
    const listedNow = must(await listed(), 200).json.items.find(({ eventId }) => eventId === json.eventId);
    t.match(listedNow, { name: 'First', version: changed.json.version });
    must(await remove(changed.headers['etag']!), 200);
  });

  await group.test('the audit trail says who changed it', async (t) => {
    const url = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=calendarEvent`;
    type Trail = { items: { propertyId: string; action: string; before: unknown; after: unknown }[] };
    const { items } = must(await service.call<Trail>('GET', url, { role: 'ADMIN' }), 200).json;
    const ours = items.filter(({ propertyId }) => propertyId === property.propertyId).map(({ action }) => action);
    const put = 'PUT_CALENDAR_EVENT';
    t.same(ours.slice(-4), ['REMOVE_CALENDAR_EVENT', put, put, put]);
  });

  await group.test('nights in reverse, and those of a season, are refused', async (t) => {
    for (const to of [property.day(9), property.day(102)])
      isProblem(t, await call('POST', '', { body: { ...fair, to } }), 400, {
        code: 'VALIDATION_FAILED',
        pointers: ['/to'],
      });
  });
}
