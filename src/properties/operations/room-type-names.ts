import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';

/** Names of the room types of a property by their codes; none of a property that was deleted since. */
export async function readRoomTypeNames(
  { properties }: Pick<Services, 'properties'>,
  to: Address,
): Promise<ReadonlyMap<string, string>> {
  const view = await properties.view(to).catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'missing') return undefined;
    throw error;
  });
  return new Map(view?.setup.roomTypes.map(({ roomType, name }) => [roomType, name]));
}
