import fc from 'fast-check';
import t from 'tap';

import { exp, log, normalTail } from './portable-math.ts';

const close = (one: number, other: number): boolean => Math.abs(one - other) <= 4e-15 * Math.max(Math.abs(other), 1);

void t.test('the exponential and the logarithm are those of the engine, but for the last digit', async () => {
  fc.assert(fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => close(exp(x) / Math.exp(x), 1)));
  fc.assert(fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (x) => close(log(x), Math.log(x))));
});

void t.test('beyond what a number holds, the exponential is 0 or infinite', async (t) => {
  t.same([exp(-1e6), exp(1e6), exp(0)], [0, Infinity, 1]);
  t.same([log(0), log(1), log(Infinity)], [-Infinity, 0, Infinity]);
});

void t.test('the tail of the normal distribution at its usual marks', async (t) => {
  t.equal(normalTail(0).toFixed(6), '0.500000');
  t.equal(normalTail(1.959964).toFixed(6), '0.025000');
  t.equal(normalTail(-1.644854).toFixed(6), '0.950000');
});
