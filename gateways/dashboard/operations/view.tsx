import type { TargetedEvent } from 'preact';

import type { NodeAnswer } from '../../../src/platform/coordination/contracts/cluster-report.ts';
import { AppBar } from '../app-bar.tsx';
import { Icon, Mark } from '../icons.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { locale } from '../language/texts.ts';
import { NetworkStatus } from '../live/network-status.tsx';
import { network, onNetwork } from '../live/network.ts';
import { announceConnection } from '../messages.ts';
import { ServiceButton } from '../service-button.tsx';
import { AlertsPanel } from './alerts.tsx';
import { FiguresPanel } from './figures.tsx';
import { ShardsMap } from './map.tsx';
import { operations as words } from './messages.ts';
import { lateRounds, NodeLine } from './node.tsx';
import type { Operations } from './operations.ts';
import { type OpsAddress, VIEWS } from './ops-address.ts';
import { views } from './ops-messages.ts';
import { RequestsView } from './requests.tsx';
import { TenantsView } from './tenants.tsx';
import { WorkView } from './work.tsx';

type Props = { operations: Operations };
type ViewProps = Props & { address: OpsAddress };

/** The whole installation: its nodes, their resources and queues. */
export function OperationsView({ operations, address }: ViewProps) {
  const isKnown = operations.isKnown.value;
  return (
    <>
      <AppBar>
        <Freshness operations={operations} />
        <KeysHelp groups={[]} />
        {(operations.hasToken.value || isKnown) && (
          <div class="who">
            <button type="button" onClick={() => operations.leave()}>
              {words.leave}
            </button>
          </div>
        )}
      </AppBar>
      <div class="notice" role="alert">
        {operations.trouble.value !== undefined && <p>{operations.trouble.value}</p>}
      </div>
      {!operations.hasToken.value && !isKnown && <TokenPanel operations={operations} />}
      {isKnown && <Installation operations={operations} address={address} />}
    </>
  );
}

/** The visible text shows the age; the announced text only whether it is current. */
function Freshness({ operations }: Props) {
  const { isKnown, isOld, hasToken, ageSeconds } = operations;
  if (!hasToken.value && !isKnown.value) return <NetworkStatus />;
  const isCut = network.value.kind === 'offline';
  const kind = isCut ? 'offline' : !isKnown.value ? 'connecting' : isOld.value ? 'offline' : 'live';
  const said = { connecting: words.waiting, offline: words.old, live: words.fresh }[kind];
  return (
    <div class="connection" data-state={kind}>
      <span class="dot" aria-hidden="true" />
      <span aria-hidden="true">
        {isCut && `${announceConnection(network.value, 0, undefined)}. `}
        {isKnown.value ? words.age(ageSeconds.value) : words.waiting}
      </span>
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </div>
  );
}

function TokenPanel({ operations }: Props) {
  return (
    <main class="sign-in">
      <div class="panel">
        <Mark />
        <h1>{words.title}</h1>
        <p class="lead">{words.lead}</p>
        <TokenForm operations={operations} />
      </div>
    </main>
  );
}

function TokenForm({ operations }: Props) {
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    // A submitted form would put the token into the address.
    event.preventDefault();
    const token = new FormData(event.currentTarget).get('token');
    if (typeof token === 'string' && token.trim() !== '') operations.use(token.trim());
  };
  return (
    <form onSubmit={submit}>
      <label>
        {words.token}
        <input name="token" type="password" required autocomplete="off" spellcheck={false} aria-describedby="where" />
      </label>
      <p id="where" class="muted">
        {operations.config.development ? words.tokenWhere : words.tokenWhereProduction} {words.tokenHint}
      </p>
      <ServiceButton desk={onNetwork} reads type="submit" class="primary">
        {words.show}
      </ServiceButton>
    </form>
  );
}

function Installation({ operations, address }: ViewProps) {
  const view = address.view.value;
  return (
    <main class="operations" data-old={operations.isOld.value || undefined}>
      <h1 class="visually-hidden">{words.title}</h1>
      {!operations.hasToken.value && (
        <div class="panel">
          <TokenForm operations={operations} />
        </div>
      )}
      <ViewSwitch address={address} />
      <Concerns operations={operations} />
      {view === 'overview' && <Overview operations={operations} address={address} />}
      {view === 'requests' && <RequestsView operations={operations} address={address} />}
      {view === 'tenants' && <TenantsView operations={operations} address={address} />}
      {view === 'work' && <WorkView operations={operations} />}
    </main>
  );
}

function ViewSwitch({ address }: { address: OpsAddress }) {
  return (
    <nav class="ops-views" aria-label={views.label}>
      {VIEWS.map((view) => (
        <ServiceButton
          key={view}
          desk={onNetwork}
          reads
          aria-current={view === address.view.value ? 'page' : undefined}
          onClick={() => address.go({ view: view === 'overview' ? undefined : view })}
        >
          {views.names[view]}
        </ServiceButton>
      ))}
    </nav>
  );
}

/** Alerts, figures over time, and what each node is doing. */
function Overview({ operations, address }: ViewProps) {
  const nodes = operations.nodes.value;
  return (
    <>
      <AlertsPanel operations={operations} address={address} />
      <FiguresPanel operations={operations} address={address} />
      <section aria-labelledby="nodes">
        <h2 id="nodes">
          {words.nodes} <small>{words.count(nodes.length)}</small>
        </h2>
        <ul class="nodes-list">
          {nodes.map((node) => (
            <NodeLine key={node.nodeId} node={node} operations={operations} />
          ))}
        </ul>
      </section>
      <ShardsMap operations={operations} />
      <TakeOvers operations={operations} />
    </>
  );
}

/** Concerns, each with the next step. */
function Concerns({ operations }: Props) {
  const concerns = concernsOf(operations);
  if (concerns.length === 0) return null;
  return (
    <ul class="concerns">
      {concerns.map((text) => (
        <li key={text}>
          <Icon name="bad" /> {text}
        </li>
      ))}
    </ul>
  );
}

function concernsOf({ nodes, missing, shards }: Operations): string[] {
  const versions = [...new Set(nodes.value.map(({ view }) => view.version))].sort((a, b) => a - b);
  const { unowned, disputed } = shards.value;
  return [
    ...missing.value.map(({ nodeId, why }) => words.missing(nodeId, why)),
    ...nodes.value.flatMap((node) => concernsOfNode(node)),
    ...(versions.length > 1 ? [words.views(versions.join(', '))] : []),
    ...(unowned.count > 0 ? [words.unowned(unowned.count)] : []),
    ...(disputed.count > 0 ? [words.disputed(disputed.count)] : []),
  ];
}

function concernsOfNode({ nodeId, lease, relay, rounds }: NodeAnswer): string[] {
  const late = lateRounds({ rounds });
  return [
    ...(lease.held ? [] : [words.leaseLost(nodeId)]),
    ...(relay.stopped > 0 ? [words.stopped(nodeId, relay.stopped)] : []),
    ...(late.length > 0 ? [words.lateRounds(nodeId, late.join('; '))] : []),
  ];
}

function TakeOvers({ operations }: Props) {
  const all = operations.takeOvers.value;
  return (
    <section aria-labelledby="take-overs">
      <h2 id="take-overs">{words.takeOvers}</h2>
      {all.length === 0 ? (
        <p class="muted">{words.noTakeOvers}</p>
      ) : (
        <ol class="take-overs">
          {all.map(({ at, by, nodeId, why }) => (
            <li key={`${at} ${by} ${nodeId}`}>
              <time dateTime={at}>{new Date(at).toLocaleTimeString(locale)}</time>{' '}
              {words.takeOver(by.slice(0, 8), nodeId.slice(0, 8), why)}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
