/** A port of 127.0.0.1 that is free now. Somebody else may take it before it is used. */
export function freePort(): Promise<number>;
