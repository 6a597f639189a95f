import fc from 'fast-check'

/** How many cases a property is tried with: few where every change waits for it, many where the slow tests run as well. */
fc.configureGlobal({ numRuns: Number(process.env.FC_RUNS ?? 20) })
