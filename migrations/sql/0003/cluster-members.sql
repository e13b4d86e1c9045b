-- Nodes announce themselves in PostgreSQL too: two views of Redis are then one view of the cluster.
--
-- Until when a node is a member by its own word: it renews it every second from its main thread once it has joined,
-- and takes it back (-infinity) before it leaves. A lease alone says neither: it begins before a node has joined and
-- ends after its drain. Null: a build that does not announce itself here, about which nothing is known.
alter table system.cluster_node add column member_until timestamptz(3);
-- Number of the view that it goes by.
alter table system.cluster_node add column view_version bigint;
