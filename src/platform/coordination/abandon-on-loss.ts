/** What a node with a lost lease releases; each part is the real one, except in simulations. */
type Lease = { onLost(listener: () => void): void };
type Owner = { abandon(): void };
type Cuttable = { cutAll(): void };

/** Whatever was owned under a lease is given up when it is lost, with every connection to the database. */
export function abandonOnLoss(lease: Lease, owner: Owner, connections: Cuttable): void {
  lease.onLost(() => {
    owner.abandon();
    // Why it was lost is not known for sure: a lease that is taken anew begins on a way that is known to work.
    connections.cutAll();
  });
}
