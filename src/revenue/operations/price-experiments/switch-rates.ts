import { type ClientKey, ownRequestId, sendAlways } from '../../../kernel/operations/send.ts';
import type { Services } from '../../../kernel/operations/services.ts';
import type { By, Done } from '../../../kernel/rules/administration.ts';
import type { Address, Caller } from '../../../kernel/rules/caller.ts';
import type { Day } from '../../../kernel/rules/dates.ts';
import { planVersion, type RatePlan } from '../../../rates/rules/rate-plan.ts';
import {
  isSameVariant,
  type PriceExperiment,
  switchOf,
  variantOf,
  withVariant,
} from '../../rules/price-experiments/price-experiment.ts';
import { experimentOfTenant } from './read-experiments.ts';

type Switching = Pick<Services, 'properties' | 'experiments' | 'clock'>;

/**
 * Gives the plan of a running experiment the rates of a day of sale, once: what is interrupted is done again. An
 * experiment whose plan somebody has changed stops, and leaves it as it is.
 */
export async function switchRates(services: Switching, to: Address, day: Day): Promise<void> {
  const { properties, experiments, clock } = services;
  const experiment = await experiments.running(to);
  if (!experiment) return;
  const plan = planOf(experiment, (await properties.view(to)).setup.plans);
  const next = switchOf(experiment, plan, day);
  const by: By = { tenantId: to.tenantId, subject: 'system', requestId: ownRequestId() };
  if (next.kind === 'STOP') {
    await experiments.end(by, experiment.id, { status: 'STOPPED', reason: next.reason });
    return;
  }
  if (next.kind === 'NONE') return;
  if (plan && next.plan) await putPlan(services, by, to, { before: plan, after: next.plan });
  if (next.kind === 'END') await experiments.end(by, experiment.id, { status: 'COMPLETED' });
  else await experiments.switched(to, experiment.id, { day, arm: next.arm, at: clock.now() });
}

/**
 * Stops an experiment; the plan gets back what it had before, unless somebody has changed it.
 * @throws DomainError EXPERIMENT_NOT_FOUND, INVALID_STATE when it has ended
 */
export async function stopExperiment(
  services: Switching,
  caller: Caller,
  id: string,
  key?: ClientKey,
): Promise<Done<{ id: string }>> {
  const experiment = await experimentOfTenant(services, caller, id);
  if (experiment.status === 'RUNNING') {
    const to = { tenantId: caller.tenantId, propertyId: experiment.propertyId };
    const { treatment, control } = experiment;
    const plan = planOf(experiment, (await services.properties.view(to)).setup.plans);
    if (plan && isSameVariant(variantOf(plan, Object.keys(treatment)), treatment))
      await putPlan(services, caller, to, { before: plan, after: withVariant(plan, control) });
  }
  return services.experiments.end(caller, id, { status: 'STOPPED', reason: 'BY_USER' }, key);
}

const planOf = ({ rateCode }: PriceExperiment, plans: readonly RatePlan[]): RatePlan | undefined =>
  plans.find(({ code }) => code === rateCode);

/** Somebody who changes the plan in the same moment is first. */
async function putPlan(
  { properties }: Pick<Services, 'properties'>,
  by: Omit<By, 'tenantId'>,
  to: Address,
  { before, after }: { before: RatePlan; after: RatePlan },
): Promise<void> {
  const { subject, requestId } = by;
  const ifVersion = planVersion(before);
  const command = { type: 'PUT_RATE_PLAN' as const, plan: after, mode: 'replace' as const, ifVersion };
  await sendAlways({ properties }, { subject, requestId }, to, command);
}
