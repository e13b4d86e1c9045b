import { mediumDay } from '../grid/days.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import type { GroupView } from './api.ts';
import type { GroupsStore } from './groups.ts';
import { amountText, editGroup, groups as words, guaranteeMessages, statusMessages, stayText } from './messages.ts';
import { datesOf, pickupNights, type PickupNight, returnedBy, typesOf } from './pickup.ts';

type Props = { groups: GroupsStore };

export const dayText = mediumDay;

/** A group: what is picked up of each block, night by night. */
export function GroupDetail({ groups }: Props) {
  const group = groups.group.value;
  return (
    <section class="group-detail" aria-labelledby="groups-title">
      <p>
        <ServiceButton desk={groups} reads class="quiet back" onClick={() => groups.show(undefined)}>
          ← {words.all}
        </ServiceButton>
      </p>
      <header class="groups-head">
        <h1 id="groups-title">{group?.name ?? words.title}</h1>
        {group && <Verbs groups={groups} group={group} />}
      </header>
      <p role="status" class="muted">
        {groups.done.value ?? (group || groups.notice.value !== undefined ? '' : words.loading)}
      </p>
      {group && (
        <>
          <Facts groups={groups} group={group} />
          <Pickup groups={groups} group={group} />
        </>
      )}
    </section>
  );
}

function Verbs({ groups, group }: Props & { group: GroupView }) {
  if (!groups.mayAct) return groups.role.value === '' ? null : <p class="muted">{words.lookOnly}</p>;
  const isOver = group.status === 'RELEASED';
  const remaining = returnedBy(group, groups.today.value);
  return (
    <div class="verbs">
      <ServiceButton desk={groups} class="primary" disabled={isOver} onClick={() => groups.openPanel('rooming-list')}>
        {words.roomingList}
      </ServiceButton>
      {groups.mayBlock && (
        <ServiceButton desk={groups} onClick={() => groups.openPanel('edit')}>
          {editGroup.edit}
        </ServiceButton>
      )}
      {groups.mayBlock && (
        <ServiceButton desk={groups} disabled={isOver || remaining === 0} onClick={() => groups.openPanel('release')}>
          {words.release}
        </ServiceButton>
      )}
      <WhyDisabled desk={groups} />
    </div>
  );
}

function Facts({ groups, group }: Props & { group: GroupView }) {
  const dates = datesOf(group);
  const { contact, guarantee, shoulderNights: shoulder } = group;
  const facts: [string, string][] = [
    ...(dates ? [[words.nights, stayText(dates.checkIn, dates.checkOut)] as [string, string]] : []),
    [words.status, statusMessages[group.status]],
    [words.cutoff, dayText(group.cutoffDate)],
    [words.guarantee, guaranteeMessages[guarantee ?? '']],
    ...(shoulder.before + shoulder.after > 0
      ? [[words.shoulderNights, words.shoulderOf(shoulder.before, shoulder.after)] as [string, string]]
      : []),
    ...(contact
      ? [[words.contact, `${contact.firstName} ${contact.lastName}, ${contact.email}`] as [string, string]]
      : []),
  ];
  return (
    <dl class="group-facts" aria-label={groups.group.value?.name}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Pickup of each block against its rooms: numbers, with a bar beside them. */
function Pickup({ groups, group }: Props & { group: GroupView }) {
  const types = typesOf(group);
  const nights = pickupNights(group);
  const names = groups.names.value;
  const { totals } = group;
  return (
    <div class="groups-table" role="region" aria-label={words.pickupTable} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{words.pickupTable}</caption>
        <thead>
          <tr>
            <th scope="col">{words.night}</th>
            {types.map((type) => (
              <th key={type} scope="col">
                {names.get(type) ?? type}
              </th>
            ))}
            {types.length > 1 && <th scope="col">{words.total}</th>}
          </tr>
        </thead>
        <tbody>
          {nights.map((night) => (
            <Night key={night.date} groups={groups} night={night} types={types} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.roomsOf(totals.rooms)}</th>
            <td colSpan={types.length + (types.length > 1 ? 1 : 0)}>
              <PickupBar pickedUp={totals.pickedUp} rooms={totals.rooms} />
              {totals.shoulder > 0 && <small>{words.shoulder(totals.shoulder)}</small>}
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Night({ groups, night, types }: Props & { night: PickupNight; types: readonly string[] }) {
  return (
    <tr data-past={night.date < groups.today.value || undefined}>
      <th scope="row">{dayText(night.date)}</th>
      {types.map((type) => {
        const block = night.blocks.get(type);
        return (
          <td key={type}>
            {block && (
              <>
                <PickupBar pickedUp={block.pickedUp} rooms={block.rooms} />
                <small>
                  {words.rate} {amountText(block.rate, groups.property.value?.currency ?? '')}
                </small>
              </>
            )}
          </td>
        );
      })}
      {types.length > 1 && (
        <td>
          <PickupBar pickedUp={night.pickedUp} rooms={night.rooms} />
          {night.shoulder > 0 && <small>{words.shoulder(night.shoulder)}</small>}
        </td>
      )}
    </tr>
  );
}

/** `3 of 5`, with a bar for the eye. */
export function PickupBar({ pickedUp, rooms }: { pickedUp: number; rooms: number }) {
  const share = rooms === 0 ? 0 : Math.min(1, pickedUp / rooms);
  return (
    <span class="block-pickup">
      <span class="figure">{words.of(pickedUp, rooms)}</span>
      <span class="track" aria-hidden="true">
        <i style={{ width: `${100 * share}%` }} />
      </span>
      <span class="share">{words.percent(pickedUp, rooms)}</span>
    </span>
  );
}
