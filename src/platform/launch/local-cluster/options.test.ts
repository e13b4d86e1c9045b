import { test } from 'tap';

import { planOf } from './options.mjs';

void test('three nodes on Deno, ten ports apart, is what nobody has to say', async (t) => {
  const { runtime, nodes, issuerPort, restart } = planOf([], {});
  t.same([runtime, issuerPort, restart], ['deno', 8086, true]);
  t.same(
    nodes.map(({ name, role, ports }) => [name, role, ports.rate, ports.reservation, ports.live, ports.link]),
    [
      ['node-1', 'all', 8083, 8084, 8085, 8087],
      ['node-2', 'all', 8093, 8094, 8095, 8097],
      ['node-3', 'all', 8103, 8104, 8105, 8107],
    ],
  );
  const all = [issuerPort, ...nodes.flatMap(({ ports }) => Object.values(ports))];
  t.equal(new Set(all).size, all.length, 'no port twice');
});

void test('roles go to the nodes in turn, the others do everything', async (t) => {
  const { nodes } = planOf(['--nodes', '4', '--roles', 'gateway,actors', '--port', '9000', '--no-restart'], {});
  t.same(
    nodes.map(({ role }) => role),
    ['gateway', 'actors', 'all', 'all'],
  );
  t.same(
    nodes.map(({ seeds }) => seeds),
    [false, true, false, false],
    'houses are put up by the first node that may own them',
  );
});

void test('what cannot be is refused in one line that says what can', async (t) => {
  const refused = (args: string[], env = {}) => t.throws(() => planOf(args, env), { name: 'LaunchError' });
  refused(['--nodes', '0']);
  refused(['--nodes', 'three']);
  refused(['--nodes', '6']);
  t.equal(planOf(['--nodes', '6'], { DATABASE_URL: 'postgres://db/x' }).nodes.length, 6);
  refused(['--roles', 'owner']);
  refused(['--nodes', '1', '--roles', 'all,all']);
  t.throws(() => planOf(['--nodes', '2', '--roles', 'gateway,worker'], {}), {
    name: 'LaunchError',
    message: '--roles: no node would have property actors (all or actors)',
  });
  refused(['--runtime', 'bun']);
  refused(['--port', '70000']);
  refused(['--port', '65520']);
  refused(['--node', '3']);
});
