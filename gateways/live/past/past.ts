import type { LookedBack } from '../../../src/history/operations/look-back.ts';
import { PastGrid } from '../../../src/history/rules/past-grid.ts';
import type { Address } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { Position } from '../../../src/live/contracts/live.ts';
import { type Scope, snapshotText } from '../audience.ts';
import { Outgoing } from '../connection.ts';
import { feedOf } from '../feed.ts';
import { LiveProjection } from '../live-projection.ts';

/**
 * Finds a past state of a property; `before` is the one that the same client saw last.
 * @throws DomainError as `lookBack`
 */
export type LookBack = (of: Address, asOf: Instant, before?: LookedBack) => Promise<LookedBack>;

/**
 * The snapshot that a subscription would have got at a past instant. The journal does not have competitors' rates for
 * every moment, so the past has no market.
 */
export function snapshotOfPast(
  propertyId: PropertyId,
  { seq, at: asOf, generation, grid: snapshot, recent }: LookedBack,
  scope: Scope,
): { frame: Outgoing; at: Position } {
  const grid = new PastGrid(snapshot);
  const { businessDate, currency } = grid.property!;
  const { rooms, books } = grid;
  const cells = grid.cells(scope.start, scope.end);
  const projection = new LiveProjection({ businessDate, currency, cells, rooms, books, market: [] });
  const feed = recent.flatMap(feedOf);
  const text = snapshotText({ propertyId, generation }, { seq, asOf }, { projection, feed }, scope);
  return { frame: new Outgoing(text), at: { generation, seq } };
}
