import type { CDPSession, Page } from 'playwright-core';

/** A slow mobile line: 1.6 Mbit/s down, 0.75 up, 150 ms for each way there and back. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** Puts a page on a slow line. @returns the session that counts what it gets */
export async function onSlowLine(page: Page): Promise<{ line: CDPSession; bytes(): number }> {
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', LINE);
  let bytes = 0;
  line.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength));
  return { line, bytes: () => bytes };
}
