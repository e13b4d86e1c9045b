import { Service } from '../../test/blackbox/service.ts';
import { seconds, figuresText } from './figures.ts';

/** Start to ready with a fresh data directory, and again with the same one (under 20 s and 5 s are promised). */
export async function benchStart(): Promise<void> {
  const service = await Service.prepare();
  try {
    await service.up();
    const first = service.readyMs;
    await service.terminate();
    await service.up();
    const second = service.readyMs;
    await service.killHard();
    await service.up();
    figuresText([
      { what: 'start to ready, the first time', value: seconds(first) },
      { what: 'start to ready, the second time', value: seconds(second) },
      { what: 'start to ready after kill -9', value: seconds(service.readyMs) },
    ]);
  } finally {
    await service.remove();
  }
}
