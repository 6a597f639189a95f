import fc from 'fast-check'

/** Few where every change waits for it, many where the slow tests run as well. */
fc.configureGlobal({ numRuns: Number(process.env.FC_RUNS ?? 20) })
