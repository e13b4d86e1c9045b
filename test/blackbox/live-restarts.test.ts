import t from 'tap';
import { proveLive } from '../../load-tests/proof/live.ts';

void t.test('clients of both transports lose and repeat nothing while the service dies and drains', async (t) => {
  t.ok(await proveLive(24, 2), 'npm run prove -- live says more');
});
