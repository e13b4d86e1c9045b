import { useSignal } from '@preact/signals';

import { goToPage } from '../address.ts';
import { ageOf, nightOf, NOT_KNOWN, syncDue, tileGroup } from '../messages.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { addDays } from './days.ts';
import { type Tile, tilesOf } from './kpis.ts';
import { shownPickup } from './pickup.ts';
import { type TileLink, tileLink } from './tile-links.ts';

/** Age from which a figure without a schedule is marked as old. */
const BUDGET_MS = 120_000;
/** Grace period of a scheduled source: it is checked once a minute, and takes a while to answer. */
const SYNC_GRACE_MS = 600_000;

const ALL = [1, 2, 3, 4, 5, 6];

/** Key figures of the first shown night and of the day. Their sources are shown on hover and focus. */
export function KpiTiles({ desk }: { desk: RevenueStore }) {
  // Reserves the space of all tiles until the role is known.
  if (desk.role.value === '')
    return (
      <ul class="tiles">
        {ALL.map((place) => (
          <li key={place} />
        ))}
      </ul>
    );
  const tiles = tilesOf(factsOf(desk));
  const now = desk.tick.value;
  const since = desk.isPast.value ? undefined : desk.oldSince.value;
  return (
    <ul class="tiles" aria-label={tileGroup(nightOf(desk.start.value, desk.today.value))}>
      {tiles.map((tile) => (
        <TileView
          key={tile.id}
          tile={{ ...tile, at: earlier(tile.at, since), ...(since !== undefined && { goodUntil: undefined }) }}
          now={now}
          link={(id) =>
            tileLink(id, {
              propertyId: desk.property.value?.propertyId ?? '',
              night: desk.start.value,
              today: desk.today.value,
              role: desk.role.value,
            })
          }
        />
      ))}
    </ul>
  );
}

type TileProps = { tile: Tile; now: number; link: (id: Tile['id']) => TileLink | undefined };

/** A key figure that says on hover and focus what it was divided from, and opens the list behind it. */
function TileView({ tile, now, link: linkOf }: TileProps) {
  const dismissed = useSignal(false);
  const link = linkOf(tile.id);
  const Face = link ? 'a' : 'button';
  const age = tile.at === undefined ? 0 : now - tile.at;
  const isAged = tile.goodUntil === undefined ? age > BUDGET_MS : now > tile.goodUntil + SYNC_GRACE_MS;
  return (
    <li data-tile={tile.id} data-aged={isAged || undefined}>
      <Face
        {...(link ? { href: link.href } : { type: 'button' })}
        aria-describedby={`tile-${tile.id}`}
        data-dismissed={dismissed.value || undefined}
        onClick={(event: MouseEvent) => {
          if (!link?.isOnPage || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          // The address may have moved since the tile was drawn.
          goToPage(linkOf(tile.id)!.href);
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Escape') dismissed.value = true;
        }}
        onBlur={() => (dismissed.value = false)}
        onPointerEnter={() => (dismissed.value = false)}
      >
        <span class="label">{tile.label}</span>
        <span class="value">
          <strong>{tile.value}</strong> {tile.unit && <small>{tile.unit}</small>}
        </span>
        <span class="changes">
          {tile.changes.map(({ label, change, rises }) => (
            // Its place is there from the start: what comes later moves nothing.
            <span key={label} data-rises={rises} data-none={change === undefined || undefined}>
              {change ?? NOT_KNOWN} <small>{label}</small>
            </span>
          ))}
          {(tile.changes.length === 0 || isAged) && tile.at !== undefined && <small>{ageOf(age)}</small>}
        </span>
      </Face>
      <span class="tip" role="tooltip" id={`tile-${tile.id}`}>
        {tile.detail}
        {tile.at !== undefined && ` ${ageOf(age)}.`}
        {tile.goodUntil !== undefined && ` ${syncDue(tile.goodUntil, isAged)}`}
      </span>
    </li>
  );
}

/** A quotient is as old as its older part. */
function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function factsOf(desk: RevenueStore): Parameters<typeof tilesOf>[0] {
  const start = desk.start.value;
  const { revenue } = desk;
  return {
    night: desk.night(start).value,
    pickup: shownPickup(desk),
    nights: desk.nights.value,
    shown: { start, end: start === '' ? '' : addDays(start, desk.nights.value - 1) },
    began: desk.dayBegan.value,
    cancelled: revenue.cancelled.value,
    month: revenue.month.value,
    // Only tonight is compared with yesterday.
    yesterday: start === desk.today.value ? revenue.yesterday.value : undefined,
    lastYear: revenue.lastYear.value.get(start),
    currency: desk.currency.value,
    seesAmounts: desk.seesAmounts,
  };
}
