import type { TargetedEvent } from 'preact';

import type { NodeAnswer } from '../../../src/platform/coordination/contracts/cluster-report.ts';
import { AppBar } from '../app-bar.tsx';
import { Icon, Mark } from '../icons.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { ShardsMap } from './map.tsx';
import { operations as words } from './messages.ts';
import { lateRounds, NodeLine } from './node.tsx';
import type { Operations } from './operations.ts';

type Props = { operations: Operations };

/** The whole installation: its nodes, their resources and queues. */
export function OperationsView({ operations }: Props) {
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
      {isKnown && <Installation operations={operations} />}
    </>
  );
}

/** The visible text shows the age; the announced text only whether it is current. */
function Freshness({ operations }: Props) {
  const { isKnown, isOld, hasToken, ageSeconds } = operations;
  if (!hasToken.value && !isKnown.value) return <span class="connection-space" />;
  const kind = !isKnown.value ? 'connecting' : isOld.value ? 'offline' : 'live';
  const said = { connecting: words.waiting, offline: words.old, live: words.fresh }[kind];
  return (
    <div class="connection" data-state={kind}>
      <span class="dot" aria-hidden="true" />
      <span aria-hidden="true">{isKnown.value ? words.age(ageSeconds.value) : words.waiting}</span>
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
      <button class="primary">{words.show}</button>
    </form>
  );
}

function Installation({ operations }: Props) {
  const nodes = operations.nodes.value;
  return (
    <main class="operations" data-old={operations.isOld.value || undefined}>
      <h1 class="visually-hidden">{words.title}</h1>
      {!operations.hasToken.value && (
        <div class="panel">
          <TokenForm operations={operations} />
        </div>
      )}
      <Concerns operations={operations} />
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
    </main>
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
              <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>{' '}
              {words.takeOver(by.slice(0, 8), nodeId.slice(0, 8), why)}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
