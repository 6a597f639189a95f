import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, ConfigError, readConfig } from './config.ts'
import { OpenFailure } from './embedded/storage/open-store.ts'
import { seedDemo } from './features/admin/demo/seed-demo.ts'
import { ensureFirstAdministrator } from './features/admin/first-administrator.ts'
import { createLog } from './lib/log.ts'
import { OperatorError } from './lib/operator-error.ts'
import { type RunningServer, start } from './start.ts'
import { startGateway } from './start-gateway.ts'

const clientFolder = join(fileURLToPath(new URL('.', import.meta.url)), '../../client/dist')

/** Failures the operator can fix show only their message; bugs show their stack. */
function exitWithError(error: unknown): never {
  const expected = error instanceof ConfigError || error instanceof OpenFailure || error instanceof OperatorError
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (inUse)
    console.error(
      'Assay cannot start because its port is already in use. Stop the other program, or set PORT to another number.',
    )
  else if (expected) console.error(error.message)
  else console.error(error)
  process.exit(1)
}

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return exitWithError(error)
  }
}

const startedByScript = process.connected
const config = readConfigOrExit()
const log = createLog(config.logLevel)

async function startServer(): Promise<RunningServer> {
  const started = await start({ config, log, clientFolder })
  // The demo has its own administrator.
  if (!config.demo && config.role !== 'worker') await ensureFirstAdministrator(started.services)
  return started
}

const server = config.role === 'gateway' ? null : await startServer().catch(exitWithError)
const running = server ?? (await startGateway({ config, log, clientFolder }).catch(exitWithError))

/** Ctrl-C arrives twice: from the terminal, and forwarded by the starting script. */
const DUPLICATE_SIGNAL_MS = 2000
let stopping = false
let stopRequestedAt = 0
function stop(why: string): void {
  if (stopping) {
    if (performance.now() - stopRequestedAt > DUPLICATE_SIGNAL_MS) process.exit(1) // Asked again: stop at once.
    return
  }
  stopping = true
  stopRequestedAt = performance.now()
  log.info({ why }, 'stopping')
  running.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'did not stop cleanly')
      process.exit(1)
    },
  )
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal))
// Without the starting script nobody else can stop us.
if (startedByScript && !process.connected) stop('the starting script is gone')
else if (startedByScript) process.once('disconnect', () => stop('the starting script is gone'))
// A wrong one breaks links in mails and LMS launches.
if (config.publicUrl !== running.url) console.log(`PUBLIC_URL, for links and LMSs: ${config.publicUrl}`)
// Last, because a waiting process may stop us as soon as it reads this.
console.log(`Assay is ready at ${running.url}`)
// A supervisor restarts the process; no acknowledged write is lost.
void server?.databaseLost.then((reason) => {
  console.error(`Assay lost its database and is stopping: ${reason}`)
  process.exit(1)
})
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

if (server && config.demo) {
  seedDemo(server.services, server.grading).catch((error: unknown) => {
    if (!stopping) log.error({ err: error }, 'the demo could not be set up')
  })
}
