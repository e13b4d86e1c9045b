import type { FailedJob, Job, JobName, JobQueue, Jobs, WantedJob } from '../../kernel/ports.ts';

/** Jobs that wait until their test ends them. */
export class FakeJobs implements JobQueue {
  isOpen = true;
  readonly jobs: (Job<JobName> & { name: JobName; oneOf?: string })[] = [];
  /** Called by `ended` before it answers: usually runs the job. */
  work: (job: Job<JobName>) => Promise<void> = async () => {};

  async enqueue<N extends JobName>(name: N, data: Jobs[N]['data'], wanted: WantedJob = {}): Promise<{ id: string }> {
    const { id = `job-${this.jobs.length + 1}`, oneOf } = wanted;
    const same = this.jobs.find((job) => job.id === id || (oneOf !== undefined && job.oneOf === oneOf && waits(job)));
    if (same) return { id: same.id };
    this.jobs.push({ name, id, data, state: 'WAITING', progress: 0, oneOf });
    return { id };
  }

  async find<N extends JobName>(name: N, id: string): Promise<Job<N> | undefined> {
    return this.jobs.find((job) => job.name === name && job.id === id);
  }

  async ended<N extends JobName>(name: N, id: string): Promise<Job<N> | undefined> {
    const job = await this.find(name, id);
    if (job && waits(job)) {
      await this.work(job);
      job.state = 'COMPLETED';
    }
    return job;
  }

  size(name: JobName): number {
    return this.jobs.filter((job) => job.name === name && waits(job)).length;
  }

  failed(): readonly FailedJob[] {
    return [];
  }
}

const waits = ({ state }: { state: string }): boolean => state === 'WAITING' || state === 'RUNNING';
