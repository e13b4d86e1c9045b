import http from 'k6/http';
import { check, sleep } from 'k6';
import { day, dev, headers, PAUSE_SECONDS, PROPERTY, smoke } from './settings.js';

/** `k6 run k6/quote.js`: quotes of two weeks over all room types; specification section 8, 500 ms at p95. */
export const options = {
  scenarios: { quotes: { ...smoke, exec: 'quote' } },
  thresholds: {
    'http_req_duration{operation:quote}': ['p(95)<500'],
    checks: ['rate>0.99'],
  },
};

export function quote() {
  const start = 10 + (__ITER % 300);
  const stay = `checkIn=${day(start)}&checkOut=${day(start + 14)}`;
  const url = `${dev.rateUrl}/api/v1/rates/current?propertyId=${PROPERTY}&${stay}&adults=2`;
  const answer = http.get(url, { headers: headers('VIEWER'), tags: { operation: 'quote' } });
  check(answer, {
    'is 200': ({ status }) => status === 200,
    'has rates': (got) => (got.json('rates') || []).length > 0,
    'says its seq': (got) => got.headers['X-Property-Seq'] !== undefined,
  });
  sleep(PAUSE_SECONDS);
}
