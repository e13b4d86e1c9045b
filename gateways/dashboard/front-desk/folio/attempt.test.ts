import t from 'tap';

import { ApiError } from '../../api.ts';
import { MoneyAttempt } from './attempt.ts';

const problem = (code: string, retryable: boolean) => ({ code, retryable });
const CONTENT = { amount: 100 };

/** Keys of the requests that an attempt sends, one for each answer. */
async function keysOf(...answers: unknown[]): Promise<string[]> {
  const attempt = new MoneyAttempt<string>(async () => undefined);
  const keys: string[] = [];
  for (const answer of answers)
    await attempt.carryOut(CONTENT, async (key) => {
      keys.push(key);
      if (answer instanceof Error) throw answer;
      return 'taken';
    });
  return keys;
}

t.test('a request of which it is not known what it did is sent again with its key', async (t) => {
  const unknown = ['INTERNAL', 'STORE_UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS', 'OUTCOME_UNKNOWN'].map(
    (code) => new ApiError(code, code, problem(code, true)),
  );
  const keys = await keysOf(new TypeError('the network is away'), new ApiError('', 'a proxy'), ...unknown, 'taken');
  t.equal(keys.length, unknown.length + 3);
  t.equal(new Set(keys).size, 1);
});

t.test('after an answer the next one is another request', async (t) => {
  const declined = new ApiError('PAYMENT_DECLINED', 'declined', problem('PAYMENT_DECLINED', false));
  t.equal(new Set(await keysOf(declined, 'taken', 'taken')).size, 3);
});
