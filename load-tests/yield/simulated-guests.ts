import { exp, log } from '../../src/kernel/rules/portable-math.ts';
import { DEMAND, demandLeft } from '../../src/rates/rules/demand-model.ts';

/**
 * The elasticity of one guest of all with a mind to come, most of whom do not pay the usual price; `chance` is 0 to
 * 1.
 */
export function guestElasticity(elasticity: number, chance: number): number {
  const least = exp(DEMAND.guestsMind.least * elasticity);
  const most = exp(DEMAND.guestsMind.most * elasticity);
  return log(least + chance * (most - least));
}

/** Share of interested guests who pay a price, as a part of the usual one; {@link demandLeft} starts from 1. */
export function payingShare(elasticity: number, price: number): number {
  const { least, most } = DEMAND.guestsMind;
  const all = (exp(most * elasticity) - exp(least * elasticity)) / ((most - least) * elasticity);
  return demandLeft(elasticity, price - 1) / all;
}
