import t from 'tap';

import { errorOf, RunningHost } from '../src/testing/actors/running-host.ts';
import { bookCommand, PROPERTY_ID } from '../src/testing/property-world.ts';

void t.test('a commit without an answer whose property another node has by now stays unknown', async (t) => {
  const running = await RunningHost.property(t);
  running.store.alive.add('other');
  running.store.properties.get('acme:anchor')!.owner = 'other';
  running.store.faults.push('unknown, written');
  t.equal(await errorOf(running.send(bookCommand())), 'OUTCOME_UNKNOWN');
  t.equal(running.host.figures.actors, 0);
  t.equal(await errorOf(running.send(bookCommand())), 'NOT_EXECUTED', 'and it is not taken from that node');
  running.store.alive.clear();
  t.equal(await errorOf(running.send(bookCommand())), 'accepted');
  t.equal((await running.host.view(PROPERTY_ID)).seq, running.store.properties.get('acme:anchor')!.ownership.seq);
});
