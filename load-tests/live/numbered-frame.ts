const NUMBERS = /"from":\d+,"to":\d+,"ts":\d+/;

/** A frame of the service as one of now with another number, as the baselines of the live feed send it. */
export const numberedFrame = (frame: string, seq: number): string =>
  frame.replace(NUMBERS, `"from":${seq},"to":${seq},"ts":${Date.now()}`);
