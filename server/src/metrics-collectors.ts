import { join } from 'node:path'
import { countUnsentScores } from './features/lti/scores/score-rows.ts'
import type { Realtime } from './features/realtime/realtime.ts'
import { isDatabaseConnected } from './lib/database/database.ts'
import { collectJobMetrics } from './lib/jobs/collect-job-metrics.ts'
import type { Collectors } from './lib/metrics/serve-metrics.ts'
import { diskSpace, folderSize } from './lib/storage/disk-space.ts'
import type { Services } from './services.ts'

/** Looked up for each scrape. `realtime` starts later than the metrics; a worker has none. */
export function createCollectors(services: Services, realtime: () => Realtime | null): Collectors {
  const { metrics, papers, clock, config } = services
  return {
    jobs: () => collectJobMetrics(metrics, clock.now()),
    reading() {
      metrics.readingTasksWaiting.set(papers.tasksWaiting())
      metrics.readingProcesses.set(papers.processIds().length)
    },
    sockets() {
      for (const [kind, count] of Object.entries(realtime()?.countSockets() ?? {})) metrics.sockets.set({ kind }, count)
    },
    async scores() {
      for (const { state, count } of await countUnsentScores()) metrics.scores.set({ state }, count)
    },
    async database() {
      metrics.databaseUp.set(isDatabaseConnected() ? 1 : 0)
      if (config.mongodbUrl === null) metrics.databaseBytes.set(await folderSize(join(config.dataDir, 'database')))
    },
    async disk() {
      const { free_bytes, total_bytes } = await diskSpace(config.dataDir)
      metrics.diskFreeBytes.set(free_bytes)
      metrics.diskBytes.set(total_bytes)
    },
  }
}
