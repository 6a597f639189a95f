import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds: requests and commands; papers, grades and LLM calls; jobs, which may be a whole class. */
const SHORT = [0.005, 0.02, 0.1, 0.3, 1, 3, 10, 60]
const LONG = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120]
const JOBS = [0.01, 0.1, 1, 5, 30, 120, 600]

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Label values are few and known in advance, never ids, names, addresses or models, which may identify people. `job`
 * and `instance` are Prometheus's own.
 */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) => {
    const made = new Gauge({ name, help, labelNames, registers })
    // Absent until set, and not 0: a gateway has no database that could be down.
    if (labelNames.length === 0) made.remove()
    return made
  }
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })

  const metrics = {
    registry,
    info: gauge('assay_info', 'Always 1; the version and role of the process.', ['version', 'role']),
    scrapeFailures: counter('assay_scrape_failures_total', 'Parts of a scrape that failed and are missing in it.', [
      'part',
    ]),

    requestSeconds: histogram(
      'assay_http_request_duration_seconds',
      'From a request to the end of its reply, by route pattern; status is the class of the code, or aborted.',
      ['method', 'route', 'status'],
      SHORT,
    ),
    sockets: gauge('assay_sockets', 'Open websockets of this process.', ['kind']),

    jobs: gauge('assay_jobs', 'Jobs in the queue, of all processes: due, deferred or running.', ['job_name', 'state']),
    oldestJobSeconds: gauge('assay_job_oldest_age_seconds', 'For how long the oldest due job has been due.', [
      'job_name',
    ]),
    jobSeconds: histogram('assay_job_duration_seconds', 'One attempt at a job.', ['job_name', 'outcome'], JOBS),

    readingSeconds: histogram(
      'assay_reading_task_duration_seconds',
      'One task of a process that reads PDFs, without the wait for a free one.',
      ['task', 'outcome'],
      LONG,
    ),
    readPages: counter('assay_reading_pages_total', 'Pages done by processes that read PDFs.', ['task']),
    readingTasksWaiting: gauge('assay_reading_tasks_waiting', 'Tasks that wait for a process that reads PDFs.'),
    readingProcesses: gauge('assay_reading_processes', 'Running processes that read PDFs.'),

    gradingSeconds: histogram(
      'assay_grading_duration_seconds',
      'The suggested grade of one paper, waits for the LLM included.',
      ['grader', 'outcome'],
      LONG,
    ),
    gradedAnswers: counter('assay_graded_answers_total', 'Answers of papers that were graded.', ['grader']),

    llmSeconds: histogram(
      'assay_llm_call_duration_seconds',
      'One call of an LLM with its retries; outcome is answered, wrong (against its schema) or why it failed.',
      ['provider', 'outcome'],
      LONG,
    ),
    llmTokens: counter('assay_llm_tokens_total', 'Tokens that LLMs have read and written.', ['provider', 'direction']),
    llmDollars: counter('assay_llm_cost_dollars_total', 'US dollars, where a price is set; by who pays.', [
      'provider',
      'payer',
    ]),
    llmBudgetRefusals: counter('assay_llm_budget_refusals_total', 'LLM calls that the budget did not cover.', [
      'payer',
    ]),

    ltiAttempts: counter(
      'assay_lti_attempts_total',
      'Logins, launches and registrations; outcome is accepted or the code of the refusal. Logins that lead on count as launches.',
      ['step', 'outcome'],
    ),
    scoresSent: counter('assay_lti_scores_sent_total', 'Attempts to send a score: accepted, refused or deferred.', [
      'outcome',
    ]),
    scores: gauge('assay_lti_scores', 'Scores that no LMS has accepted yet, of all processes.', ['state']),

    redisUp: gauge('assay_redis_up', 'Whether this process is connected to Redis; absent without REDIS_URL.'),
    databaseUp: gauge('assay_database_up', 'Whether this process is connected to its database.'),
    databaseSeconds: histogram(
      'assay_database_command_duration_seconds',
      'One command of the database.',
      ['command', 'outcome'],
      SHORT,
    ),
    databaseBytes: gauge('assay_database_bytes', 'Files of the embedded database; absent with a MongoDB.'),
    diskFreeBytes: gauge('assay_data_disk_free_bytes', 'Free on the disk of DATA_DIR.'),
    diskBytes: gauge('assay_data_disk_bytes', 'Size of the disk of DATA_DIR.'),
  }
  // Prometheus sees increases only of known series, and would miss the first.
  for (const payer of ['system', 'course']) metrics.llmBudgetRefusals.inc({ payer }, 0)
  for (const outcome of ['accepted', 'refused', 'deferred']) metrics.scoresSent.inc({ outcome }, 0)
  return metrics
}

export function collectProcessMetrics({ registry }: Pick<Metrics, 'registry'>): void {
  collectDefaultMetrics({ register: registry })
}

export const secondsSince = (began: number): number => (performance.now() - began) / 1000
