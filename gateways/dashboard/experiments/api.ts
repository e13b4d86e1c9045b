import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { planListAnswer } from '../../../src/rates/contracts/rate-answers.ts';
import type {
  experimentListAnswer,
  experimentResultAnswer,
} from '../../../src/revenue/contracts/price-experiments.ts';
import { ask, read, type SignedAccess } from '../api.ts';

export type ListedExperiment = WireOf<typeof experimentListAnswer>['items'][number];
export type ShownExperiment = WireOf<typeof experimentResultAnswer>;
export type TriablePlan = Pick<WireOf<typeof planListAnswer>['items'][number], 'code' | 'name' | 'adjustmentPercent'>;

const PATH = '/api/v1/rates/experiments';

/** Experiments of a property, newest first. @throws ApiError */
export async function listedExperiments(access: SignedAccess, propertyId: string): Promise<ListedExperiment[]> {
  return (await read<WireOf<typeof experimentListAnswer>>(access, 'rate', PATH, { propertyId })).items;
}

/** An experiment with what its days have brought. @throws ApiError */
export function shownExperiment(access: SignedAccess, id: string): Promise<ShownExperiment> {
  return read(access, 'rate', `${PATH}/${encodeURIComponent(id)}`);
}

/** @param key sent again after a lost answer, so that no second one begins @throws ApiError */
export async function sendExperiment(access: SignedAccess, body: object, key: string): Promise<ShownExperiment> {
  return (await ask(access, 'rate', PATH, { method: 'POST', body, key })).body as ShownExperiment;
}

/** Ends one before its last day. @throws ApiError */
export async function sendStop(access: SignedAccess, id: string): Promise<ShownExperiment> {
  const path = `${PATH}/${encodeURIComponent(id)}/stop`;
  return (await ask(access, 'rate', path, { method: 'POST', body: {} })).body as ShownExperiment;
}

/** Plans on sale, of which one can be tried at other rates. @throws ApiError */
export async function triablePlans(access: SignedAccess, propertyId: string): Promise<TriablePlan[]> {
  const { items } = await read<WireOf<typeof planListAnswer>>(access, 'rate', '/api/v1/rates/plans', { propertyId });
  return items.filter(({ status }) => status === 'ACTIVE');
}
