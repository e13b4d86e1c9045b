/** A figure that somebody else published, in their own unit. */
type Published = { what: string; figure: string; perSecond: number; source: string; url: string };

/**
 * Figures that others published about their systems. Other machines, other work, other years: they say orders of
 * magnitude, and are no comparison.
 */
export const PUBLISHED: readonly Published[] = [
  {
    what: '12306, rail tickets of China in the rush of a holiday',
    figure: '15,000 tickets a minute',
    perSecond: 250,
    source: 'VMware Tanzu, case study of China Railway Corporation, 2016',
    url: 'https://tanzu.vmware.com/content/case-studies/china-railway-corporation',
  },
  {
    what: 'DBOS, durable workflows on one PostgreSQL of 96 vCPU',
    figure: '43,000 workflows a second: about 450 for each vCPU',
    perSecond: 450,
    source: 'DBOS, Benchmarking workflow execution scalability on Postgres',
    url: 'https://www.dbos.dev/blog/benchmarking-workflow-execution-scalability-on-postgres',
  },
  {
    what: 'OHIP, Oracle Hospitality: requests that it takes for one environment before it delays them',
    figure: '50 requests a second',
    perSecond: 50,
    source: 'Oracle Hospitality Integration Platform, API Throttling',
    url: 'https://docs.oracle.com/en/industries/hospitality/integration-platform/ohipu/c_api_throttling_ssd.htm',
  },
];
