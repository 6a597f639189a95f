import { startEmbeddedDatabase } from '../../server/src/embedded/embedded-database.ts'
import { closeDatabase, openDatabase } from '../../server/src/lib/database/database.ts'
import { type Api, createTestApi } from '../../server/src/testing/api.ts'
import { startRedis } from '../../server/src/testing/redis-server.ts'
import { type ServerProcess, startServerProcess } from '../../server/src/testing/server-process.ts'
import { startSlowLlm } from './class-for-slow-llm.ts'

interface ProductProcesses {
  api: Api
  llmUrl: string
}

/** One web and some workers, a database, a Redis and a slow LLM. This process uses the database, too. */
export async function withProcesses<T>(
  folder: string,
  { workers, answersInMs, environment }: { workers: number; answersInMs: number; environment: Record<string, string> },
  work: (processes: ProductProcesses) => Promise<T>,
): Promise<T> {
  const database = await startEmbeddedDatabase({ folder: `${folder}/database` })
  const redis = await startRedis()
  const llm = await startSlowLlm(answersInMs)
  const shared = {
    MONGODB_URL: database.url,
    REDIS_URL: redis.url,
    SECRET_KEY: 'the same secret key in every process',
    READING_PROCESSES: '1',
    LOG_LEVEL: 'fatal',
    ...environment,
  }
  const running: ServerProcess[] = []
  const start = async (role: string) => {
    const started = await startServerProcess(`${folder}/data`, { ...shared, ROLE: role })
    running.push(started)
    return started
  }
  try {
    const web = await start('web')
    await Promise.all(Array.from({ length: workers }, () => start('worker')))
    await openDatabase(database.url, async () => {})
    return await work({ api: createTestApi({ running: web }), llmUrl: llm.line })
  } finally {
    await Promise.all(running.map((one) => one.stop()))
    await closeDatabase()
    await llm.kill()
    await redis.stop()
    await database.stop()
  }
}
