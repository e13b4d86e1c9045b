import t from 'tap';

import type { Address } from '../../../src/kernel/rules/caller.ts';
import type { Cluster } from '../cluster.ts';
import { FAULTS } from '../faults.ts';
import { simulate } from '../simulate.ts';
import { Recorder } from './recorder.ts';
import {
  commandOf,
  faultsText,
  interventionsText,
  readFaults,
  readInterventions,
  readSeed,
  type Scenario,
  scenarioOf,
} from './scenario.ts';

/** Redis is gone for all three nodes, one after the other: each forwards by other members. */
const SPLIT = readInterventions('cut-redis:0@100,cut-redis:1@200,cut-redis:2@300');
const split = (fence: boolean): Scenario => ({ seed: 55, faults: [], interventions: SPLIT, fence });

class WatchedCluster extends Recorder {
  cluster!: Cluster;

  override record(cluster: Cluster, properties: readonly Address[]): void {
    this.cluster = cluster;
    super.record(cluster, properties);
  }
}

void t.test('with the fence no room is sold twice, without it one is', async (t) => {
  const fenced = new Recorder();
  const whole = await simulate(55, split(true), fenced);
  t.same(whole.violations, []);
  t.ok(fenced.steps.filter(({ kind }) => kind === 'fenced').length > 5, 'the fence had something to refuse');
  const unfenced = new Recorder();
  const broken = await simulate(55, split(false), unfenced);
  t.ok(broken.oversold.length > 0);
  t.ok(broken.violations.some((text) => text.startsWith('I1: ')));
  for (const { rooms, booked, held } of broken.oversold) t.ok(booked + held > rooms);
  const seen = unfenced.steps.filter(({ kind }) => kind === 'sold-twice');
  t.equal(seen.length, broken.oversold.length, 'each is a step');
});

void t.test('a recorded run is the run', async (t) => {
  for (const scenario of [scenarioOf(7), split(true)]) {
    const recorded = await simulate(scenario.seed, scenario, new Recorder());
    t.equal((await simulate(scenario.seed, scenario)).fingerprint, recorded.fingerprint);
  }
  t.equal((await simulate(7)).fingerprint, (await simulate(7, scenarioOf(7))).fingerprint);
});

void t.test('rooms counted from reservations and holds are those of the cells', async (t) => {
  for (const seed of [3, 7, 14]) {
    const watched = new WatchedCluster();
    await simulate(seed, scenarioOf(seed), watched);
    for (const property of watched.cluster.database.store.properties.values())
      for (const { property: name, nights } of watched.steps.at(-1)!.stored) {
        if (name !== property.property!.propertyId) continue;
        for (const { roomType, night, booked, held } of nights) {
          const day = Date.parse(night) / 86_400_000;
          const cell = property.cells.get(`${roomType} ${day}`) ?? { booked: 0, held: 0 };
          t.same({ booked, held }, { booked: cell.booked, held: cell.held }, `seed ${seed}: ${name} ${night}`);
        }
      }
  }
});

void t.test('each intervention happens to its node, and the promises hold', async (t) => {
  const play = async (text: string) => {
    const recorder = new Recorder();
    const scenario = { seed: 4, faults: [], interventions: readInterventions(text), fence: true };
    t.same((await simulate(4, scenario, recorder)).violations, [], text);
    return recorder.steps;
  };
  const states = (await play('kill:1@300')).flatMap(({ nodes }) => nodes[1]!.state);
  t.ok(states.includes('down') && states.at(-1) === 'running', 'killed and started again');
  t.ok((await play('pause:2@300')).some(({ nodes }) => nodes[2]!.state === 'paused'));
  const cut = await play('cut-database:0@300');
  t.ok(cut.some(({ nodes }) => nodes[0]!.cutFrom.includes('database')));
  t.ok(cut.some(({ text }) => text === 'node-0 has no lease, and stops its actors'));
  t.ok((await play('cut-redis:0@300')).some(({ nodes }) => nodes[0]!.cutFrom.includes('redis')));
  const lost = await play('lose-answer:0@300,lose-answer:1@300,lose-answer:2@300');
  const before = lost[0]!.stored.map(({ epoch }) => epoch);
  t.not(
    lost
      .at(-1)!
      .stored.map(({ epoch }) => epoch)
      .join(),
    before.join(),
    'taken again to learn the outcome',
  );
  const jumps = (await play('jump@300')).map(({ at }) => at);
  t.ok(jumps.some((at) => at >= 30_000));
});

void t.test('a scenario is written and read as text', async (t) => {
  t.same(readInterventions(interventionsText(SPLIT)), SPLIT);
  t.same(interventionsText(readInterventions('kill:2@0,jump@11999')), 'kill:2@0,jump@11999');
  for (const faults of [FAULTS, [], ['crash', 'misrouted'] as const]) t.same(readFaults(faultsText(faults)), faults);
  t.equal(readSeed('4294967295'), 4_294_967_295);
  for (const text of ['', '-1', '1.5', '4294967296', 'x']) t.throws(() => readSeed(text), RangeError);
  for (const text of ['kill@5', 'kill:3@5', 'jump:1@5', 'kill:1@12000', 'burn:1@5', 'kill:1'])
    t.throws(() => readInterventions(text), RangeError, text);
  t.throws(() => readFaults('crash,fire'), RangeError);
  t.equal(commandOf(scenarioOf(7)), 'npm run simulate -- --actors --seed 7');
  t.equal(
    commandOf({ ...split(false), faults: ['crash'] }),
    `npm run simulate -- --actors --seed 55 --faults crash --do ${interventionsText(SPLIT)} --without-fence`,
  );
});
