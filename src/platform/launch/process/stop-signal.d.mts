/** Aborts at the first SIGTERM, SIGINT or SIGHUP, or when npm ends above us; its reason is the signal to pass on. */
export declare function stopSignal(): AbortSignal;
