import { z } from 'zod'

export const BENCH_JOB = { name: 'bench', payload: z.object({ n: z.number() }) }

/** As GRADING_CONCURRENCY is by default. */
export const CLAIMED_AT_ONCE = 4

export const JOBS = 6_000
