import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';

import { AppBar, Who } from '../app-bar.tsx';
import { Icon } from '../icons.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { ConnectionStatus } from '../live/connection-status.tsx';
import { returns } from '../live/network.ts';
import { UNREACHABLE } from '../messages.ts';
import { Notice, SignedOut } from '../notice.tsx';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { ServiceButton } from '../service-button.tsx';
import { Skeleton } from '../shell/skeleton.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import type { GroupView } from './api.ts';
import { dayText, GroupDetail, PickupBar } from './group-detail.tsx';
import { GROUPS_PATH, type GroupsStore, type GroupPanelName } from './groups.ts';
import { editGroup, groups as words, statusMessages, stayText } from './messages.ts';
import { datesOf } from './pickup.ts';

type Props = { groups: GroupsStore };

/** GroupsStore of a property: the list, or one group with its pickup by night, and a panel beside it. */
export function GroupsView({ groups, onSignOut }: Props & { onSignOut: () => void }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && groups.panel.peek()) groups.openPanel(undefined);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [groups]);
  const state = groups.connection.value;
  if (state.kind === 'signed-out' && groups.property.value === undefined)
    return <SignedOut because={state.because} onSignOut={onSignOut} />;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={groups} />
        <WorkspaceSwitch here="groups" />
        <ConnectionStatus desk={groups} />
        <KeysHelp groups={[]} />
        <Who tenantId={groups.user.tenantId} role={groups.role.value} onSignOut={onSignOut} />
      </AppBar>
      <Notice desk={groups} onSignOut={onSignOut} />
      <main class="groups" data-panel={groups.panel.value}>
        {groups.groupId.value === undefined ? <List groups={groups} /> : <GroupDetail groups={groups} />}
        <GroupPanel groups={groups} />
      </main>
    </>
  );
}

function List({ groups }: Props) {
  const list = groups.list.value;
  return (
    <section class="group-list" aria-labelledby="groups-title">
      <header class="groups-head">
        <h1 id="groups-title">{words.title}</h1>
        {groups.mayBlock && (
          <ServiceButton desk={groups} class="primary" onClick={() => groups.openPanel('new')}>
            {words.newGroup}
          </ServiceButton>
        )}
      </header>
      <p role="status" class="muted">
        {groups.done.value ?? (list === undefined ? words.loading : list.length === 0 ? words.none : '')}
      </p>
      {list === undefined && <Skeleton rows={6} />}
      {list !== undefined && list.length > 0 && (
        <div class="groups-table" role="region" aria-label={words.list} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                <th scope="col">{words.nights}</th>
                <th scope="col">{words.cutoff}</th>
                <th scope="col">{words.status}</th>
                <th scope="col">{words.pickup}</th>
                <th scope="col" class="amount">
                  {words.remaining}
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map((group) => (
                <Row key={group.groupId} groups={groups} group={group} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ groups, group }: Props & { group: GroupView }) {
  const dates = datesOf(group);
  const { pickedUp, rooms, remaining } = group.totals;
  return (
    <tr>
      <th scope="row">
        <a href={`${GROUPS_PATH}/${group.groupId}?property=${groups.property.value?.propertyId ?? ''}`}>
          {group.name}
        </a>
      </th>
      <td>{dates && stayText(dates.checkIn, dates.checkOut)}</td>
      <td>{dayText(group.cutoffDate)}</td>
      <td>{statusMessages[group.status]}</td>
      <td>
        <PickupBar pickedUp={pickedUp} rooms={rooms} />
      </td>
      <td class="amount">{remaining}</td>
    </tr>
  );
}

const LOADERS: Record<GroupPanelName, () => Promise<FunctionComponent<Props>>> = {
  new: async () => (await import('./new-group-panel.tsx')).NewGroupPanel,
  edit: async () => (await import('./edit-group-panel.tsx')).EditGroupPanel,
  'rooming-list': async () => (await import('./rooming-panel.tsx')).RoomingPanel,
  release: async () => (await import('./release-panel.tsx')).ReleasePanel,
};
const TITLES: Record<GroupPanelName, string> = {
  new: words.newGroup,
  edit: editGroup.title,
  'rooming-list': words.roomingList,
  release: words.release,
};

/** The panel beside the table; its script is loaded when it opens first. */
function GroupPanel({ groups }: Props) {
  const loaded = useSignal<{ name: GroupPanelName; view: FunctionComponent<Props> } | undefined>(undefined);
  const name = groups.panel.value;
  const isAllowed = name === 'rooming-list' ? groups.mayAct : groups.mayBlock;
  // Lists and releases are of a group, which has to be there.
  const isPossible = name === 'new' ? groups.property.value !== undefined : groups.group.value !== undefined;
  const isOpen = name !== undefined && isAllowed && isPossible;
  useEffect(() => {
    if (!isOpen || loaded.peek()?.name === name) return;
    LOADERS[name]().then(
      (view) => (loaded.value = { name, view }),
      () => (groups.notice.value = UNREACHABLE),
    );
  }, [isOpen, name, returns.value]);
  const panel = loaded.value;
  if (!isOpen || panel?.name !== name) return null;
  const key = `${name} ${groups.property.value?.propertyId} ${groups.groupId.value ?? ''}`;
  return (
    <aside class="groups-panel" aria-label={TITLES[name]}>
      <div class="drawer-head">
        <h2>{TITLES[name]}</h2>
        <button type="button" class="quiet" aria-label={words.close} onClick={() => groups.openPanel(undefined)}>
          <Icon name="bad" />
        </button>
      </div>
      <panel.view key={key} groups={groups} />
    </aside>
  );
}
