import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import type { ClientKey } from '../../../kernel/operations/send.ts';
import type { Services } from '../../../kernel/operations/services.ts';
import type { Done } from '../../../kernel/rules/administration.ts';
import type { Caller } from '../../../kernel/rules/caller.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import { type RatePlan, STRATEGY_MEMBERS } from '../../../rates/rules/rate-plan.ts';
import type { ExperimentBody } from '../../contracts/price-experiments.ts';
import {
  drawArms,
  isSameVariant,
  MAX_DAYS_TO_START,
  type PlanVariant,
  type PriceExperiment,
  variantOf,
  withVariant,
} from '../../rules/price-experiments/price-experiment.ts';

/**
 * Begins an experiment (docs/reference/price-experiments.md#price-experiments): its days are drawn now, and its rates are switched
 * at the beginning of each day of sale.
 * @throws DomainError PROPERTY_NOT_FOUND, UNKNOWN_RATE_CODE, VALIDATION_FAILED; ALREADY_EXISTS while another one runs
 */
export async function beginExperiment(
  { properties, experiments, clock }: Pick<Services, 'properties' | 'experiments' | 'clock'>,
  caller: Caller,
  { propertyId, startDate, pairs, treatment: wanted, ...body }: ExperimentBody,
  key?: ClientKey,
): Promise<Done<{ id: string }>> {
  const view = await properties.view({ tenantId: caller.tenantId, propertyId });
  const plan = view.setup.plans.find(({ code, status }) => code === body.rateCode && status === 'ACTIVE');
  if (!plan) throw new DomainError('UNKNOWN_RATE_CODE', `The property does not sell ${body.rateCode}.`);
  const treatment = treatmentOf(wanted);
  const control = variantOf(plan, Object.keys(treatment));
  mustDiffer(plan, treatment, control);
  const first = startDate ?? view.businessDate + 1;
  if (first <= view.businessDate) throw wrong('/startDate', 'TOO_EARLY', 'is not after the business date');
  if (first > view.businessDate + MAX_DAYS_TO_START)
    throw wrong('/startDate', 'TOO_LATE', `is more than ${MAX_DAYS_TO_START} days after the business date`);
  const experiment: PriceExperiment = {
    ...body,
    id: uuidv7(),
    propertyId,
    treatment,
    control,
    first,
    arms: drawArms(pairs, () => randomInt(2) === 0),
    status: 'RUNNING',
    days: [],
    createdAt: clock.now(),
    createdBy: caller.subject,
  };
  return experiments.create(caller, experiment, key);
}

/** Another strategy has parameters of its own. */
function treatmentOf({ adjustmentPercent, strategy, strategyRules }: ExperimentBody['treatment']): PlanVariant {
  const rules = strategyRules ?? (strategy === undefined ? undefined : {});
  return {
    ...(adjustmentPercent !== undefined && { adjustmentPercent }),
    ...(strategy !== undefined && { strategy }),
    ...(rules !== undefined && { strategyRules: rules }),
  };
}

function mustDiffer(plan: RatePlan, treatment: PlanVariant, control: PlanVariant): void {
  if (isSameVariant(treatment, control)) throw wrong('/treatment', 'NO_EFFECT', 'is what the plan has already');
  const { strategy, strategyRules = {} } = withVariant(plan, treatment);
  if (plan.parentCode !== undefined && (treatment.strategy !== undefined || treatment.strategyRules !== undefined))
    throw wrong('/treatment/strategy', 'OF_PARENT', 'of a derived plan is that of its parent');
  const foreign = Object.keys(strategyRules).find((name) => !(STRATEGY_MEMBERS[strategy] as string[]).includes(name));
  if (foreign !== undefined)
    throw wrong(`/treatment/strategyRules/${foreign}`, 'OTHER_STRATEGY', `is no parameter of ${strategy}`);
}

function wrong(pointer: string, code: string, detail: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `${pointer} ${detail}.`, { errors: [{ pointer, code, detail }] });
}
