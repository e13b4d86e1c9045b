-- How each job that is repeated for all nodes is doing, by the clock of this server and not by the application's: every
-- node sees from it that a round is overdue, whatever the job queue says. Nothing of a tenant.
create table system.job_round (
  name text primary key check (char_length(name) between 1 and 100),
  -- The last run that went through.
  completed_at timestamptz,
  -- When a run last got on: one that takes long is not overdue meanwhile.
  advanced_at timestamptz,
  -- When the job queue last brought the job to a node, and did not leave it to the nodes' own watch.
  delivered_at timestamptz,
  -- When a node last took it upon itself to run what was overdue, so that not all do.
  claimed_at timestamptz,
  -- Who wrote last.
  node_id text not null
);

grant select, insert, update on system.job_round to innkeeper_system;
