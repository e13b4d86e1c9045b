import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { eventVersion } from '../../../src/rates/rules/calendar-event.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import { DAY } from '../../../src/testing/property-world.ts';

type Event = CommandOf<'PUT_CALENDAR_EVENT'>['event'];
const fair = (changed: Partial<Event> = {}): Event => ({
  eventId: 'fair',
  name: 'Boat show',
  firstNight: DAY + 3,
  lastNight: DAY + 5,
  effect: 'HIGH',
  ...changed,
});
const added = (event: Event) => ({ type: 'PUT_CALENDAR_EVENT' as const, event, mode: 'create' as const });

void t.test('an event is added, changed and removed, each with what was before', async (t) => {
  const scene = Scene.property();
  const made = scene.accept(added(fair({ note: 'Hall 4' })));
  t.match(made, { ...fair({ note: 'Hall 4' }), createdAt: scene.now, updatedAt: scene.now });
  t.same(scene.view.calendarEvents, [made]);
  scene.pass(60_000);
  const changed = scene.accept({ type: 'PUT_CALENDAR_EVENT', event: fair({ effect: 'LOW' }), mode: 'replace' });
  t.same(changed, { ...fair({ effect: 'LOW' }), createdAt: made.createdAt, updatedAt: scene.now }, 'replaced whole');
  t.match(scene.last.entries.at(-1)!.facts.setup, [
    { kind: 'calendarEvent', id: 'fair', before: made, after: changed },
  ]);
  scene.accept({ type: 'REMOVE_CALENDAR_EVENT', eventId: 'fair' });
  t.same(scene.view.calendarEvents, []);
  t.match(scene.last.entries.at(-1)!.facts.setup, [{ kind: 'calendarEvent', before: changed, after: null }]);
});

void t.test('a change of what somebody else has changed meanwhile is refused', async (t) => {
  const scene = Scene.property();
  const made = scene.accept(added(fair()));
  const change = (ifVersion: number, name: string) => {
    return { type: 'PUT_CALENDAR_EVENT' as const, event: fair({ name }), mode: 'replace' as const, ifVersion };
  };
  const first = scene.accept(change(eventVersion(made), 'At the same moment'));
  t.not(eventVersion(first), eventVersion(made));
  const stale = { code: 'STALE_VERSION' };
  t.match(scene.refuse(change(eventVersion(made), 'Late')), stale);
  t.match(scene.refuse({ type: 'REMOVE_CALENDAR_EVENT', eventId: 'fair', ifVersion: eventVersion(made) }), stale);
  scene.accept({ type: 'REMOVE_CALENDAR_EVENT', eventId: 'fair', ifVersion: eventVersion(first) });
});

void t.test('one that is not there cannot be changed, and a calendar has an end', async (t) => {
  const scene = Scene.property();
  const gone = { code: 'CALENDAR_EVENT_NOT_FOUND' };
  t.match(scene.refuse({ type: 'PUT_CALENDAR_EVENT', event: fair(), mode: 'replace' }), gone);
  t.match(scene.refuse({ type: 'REMOVE_CALENDAR_EVENT', eventId: 'fair' }), gone);
  for (let n = 0; n < 500; n++) scene.accept(added(fair({ eventId: `event-${n}` })));
  t.match(scene.refuse(added(fair({ eventId: 'one more' }))), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ parameter: 'propertyId', code: 'TOO_MANY' }] },
  });
  scene.accept({ type: 'PUT_CALENDAR_EVENT', event: fair({ eventId: 'event-7' }), mode: 'replace' });
});
