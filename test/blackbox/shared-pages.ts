import type { Browser } from 'playwright-core';
import type { Test } from 'tap';

import { closeWindows, sharedBrowser } from '../../src/testing/live/page-browser.ts';
import { afterLastFile } from '../loop/last-file.ts';
import { Service } from './service.ts';

let shared: Promise<Service> | undefined;

/**
 * A service for a file; files of one process share it (`SHARED_SERVICE` in test/loop/shards.ts), since a service and a
 * browser are a quarter of what a file of pages takes. So a file has properties of its own, leaves users and settings
 * of the tenant as they were, and moves no clock before the last files do.
 */
export function sharedService(t: Test): Promise<Service> {
  return (shared ??= start(t));
}

async function start(t: Test): Promise<Service> {
  const service = await Service.start();
  const end = async (): Promise<void> => {
    shared = undefined;
    await service.remove();
  };
  if (!afterLastFile(end)) t.teardown(end);
  return service;
}

/** The same with a browser, whose windows are closed after the file. */
export async function sharedPages(t: Test): Promise<{ service: Service; browser: Browser }> {
  const service = await sharedService(t);
  const browser = await sharedBrowser(t);
  t.teardown(() => closeWindows(browser));
  return { service, browser };
}
