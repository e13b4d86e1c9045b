import { map } from 'rxjs';
import t from 'tap';

import { Replica } from '../../packages/client/src/live/replica.ts';
import type { FollowFrom, LiveFeed, LiveListener } from '../../src/kernel/property-actors.ts';
import { formatDay } from '../../src/kernel/rules/dates.ts';
import { TestClient } from '../../src/testing/live/client.ts';
import { FIRST_NIGHT, type ScriptedProperty } from '../../src/testing/live/scripted-property.ts';
import { scriptedWorld } from '../../src/testing/live/scripted-world.ts';
import { follow, signIn, STEPS_PROPERTY } from '../../src/testing/live/steps.ts';
import { feedFrom, feedPackets } from './following.ts';

const STAY = { roomType: 'STD', checkIn: FIRST_NIGHT, nights: 1 };

/** Has the property followed as by another node. @param meanwhile runs behind the first packet of each feed */
function overLink(property: ScriptedProperty, meanwhile: () => void): void {
  const here = property.follow.bind(property);
  property.follow = async (from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed> => {
    const packets = feedPackets(
      (own) => here(from, own),
      from,
      () => false,
    );
    const feed = await feedFrom(
      packets.pipe(map((answer) => (answer as { ok: never }).ok)),
      listener,
      () => undefined,
    );
    meanwhile();
    return feed;
  };
}

t.test('a booking behind the state of a changed property is in the cells', async (t) => {
  await using world = await scriptedWorld();
  const { property } = world;
  let books = false;
  overLink(property, () => {
    if (books) property.book(STAY);
    books = false;
  });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  books = true;
  // The owner ends the feed: the whole state follows.
  property.removeRoom('101');
  const replica = new Replica(STEPS_PROPERTY);
  replica.applySnapshot(await client.take('snapshot'));
  while (replica.position!.seq < 2) replica.applyDelta(await client.take('delta'));
  const [cell] = property.view.grid(FIRST_NIGHT, FIRST_NIGHT, 'STD');
  t.equal(cell!.booked, 1);
  t.match(replica.grid.get(`${formatDay(FIRST_NIGHT)} STD`), { bookedRooms: 1 });
});
