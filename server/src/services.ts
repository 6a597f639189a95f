import type { ActiveGrader } from '@assay/shared/questions.ts'
import type { AssignmentCompletion, ServerEvents } from '@assay/shared/realtime.ts'
import type { Redis } from './cluster/redis/redis.ts'
import type { Config } from './config.ts'
import type { SettingsStore } from './features/admin/settings/settings-store.ts'
import type { HiddenNames } from './features/anonymity/hidden-names.ts'
import type { LlmService } from './features/llm/llm-service.ts'
import type { ConnectionCounts } from './features/realtime/connection-limits.ts'
import type { Grader } from './grader/grader.ts'
import type { CircuitChange } from './grader/llm/provider/circuit-breaker.ts'
import type { Clock } from './lib/clock.ts'
import type { EventBus } from './lib/event-bus.ts'
import type { JobQueue } from './lib/jobs/job-queue.ts'
import type { Log } from './lib/log.ts'
import type { Mail } from './lib/mail/mail.ts'
import type { Metrics } from './lib/metrics/metrics.ts'
import type { FileStore } from './lib/storage/file-store.ts'
import type { PaperReader } from './papers/paper-reader.ts'

/** `assignmentId`: whose watchers are notified. */
export type AppEvents = {
  [K in keyof ServerEvents]: { assignmentId: number; payload: Parameters<ServerEvents[K]>[0] }
} & {
  /** `userId` is notified everywhere: who started the run, or gets a test. */
  completion_for_user: { userId: number; payload: AssignmentCompletion }
  /** An answer with corrected words was scored again, or cannot be. */
  answer_rescored: { assignmentId: number }
  session_ended: { sessionId: string }
  lti_platforms_changed: Record<string, never>
  /** Somebody opens a question to grade it, keeps it open, or closes it. */
  grading_announced: { assignmentId: number; questionId: string; grader: ActiveGrader; open: boolean }
  connections_counted: ConnectionCounts
  /** `provider` is a hash. */
  llm_circuit_changed: { provider: string; change: CircuitChange }
}

export interface Services {
  config: Config
  settings: SettingsStore
  log: Log
  metrics: Metrics
  clock: Clock
  files: FileStore
  uploadFolder: string
  papers: PaperReader
  names: HiddenNames
  grader: Grader
  llm: LlmService
  jobs: JobQueue
  mail: Mail
  events: EventBus<AppEvents>
  /** Null where REDIS_URL is not set. */
  redis: Redis | null
}
