import t from 'tap';

import { stateOfAll, stateOfSource } from './competitor-sync.ts';

t.test('a source is as good as its last answers', async (t) => {
  t.equal(stateOfSource({ queried: 0, failing: 0 }), 'PENDING');
  t.equal(stateOfSource({ queried: 3, failing: 0 }), 'OK');
  t.equal(stateOfSource({ queried: 3, failing: 1 }), 'PARTIAL');
  t.equal(stateOfSource({ queried: 3, failing: 3 }), 'FAILED');
});

t.test(
  'a failed source does not fail the overall state, and a source that was not queried yet is left out',
  async (t) => {
    t.equal(stateOfAll([]), 'OFF');
    t.equal(stateOfAll(['PENDING']), 'PENDING');
    t.equal(stateOfAll(['PENDING', 'OK', 'OK']), 'OK');
    t.equal(stateOfAll(['FAILED', 'OK']), 'PARTIAL');
    t.equal(stateOfAll(['PARTIAL']), 'PARTIAL');
    t.equal(stateOfAll(['FAILED', 'PENDING']), 'FAILED');
  },
);
