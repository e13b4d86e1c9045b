import tap, { test } from 'tap';

import { agentBounds } from './groups/agent-bounds.ts';
import { agents } from './groups/agents.ts';
import { edge } from './groups/edge.ts';
import { live } from './groups/live.ts';
import { malformed } from './groups/malformed.ts';
import { operations } from './groups/operations.ts';
import { pages } from './groups/pages.ts';
import { Service } from './service.ts';

/** What HTTP, sockets and streams of the runtime have a part in, with one service: CI runs it under both runtimes. */
const service = await Service.start({}, { isWatched: true });
tap.teardown(() => service.remove());

void test('malformed requests', (t) => malformed(t, service));
void test('the edge', (t) => edge(t, service));
void test('agents', (t) => agents(t, service));
void test('bounds of agents', (t) => agentBounds(t, service));
void test('operations', (t) => operations(t, service));
void test('live', (t) => live(t, service));
void test('documents and health', (t) => pages(t, service));
