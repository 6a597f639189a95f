import type { ActiveGrader } from '@assay/shared/questions.ts'
import type { AssignmentCompletion, ServerEvents } from '@assay/shared/realtime.ts'
import type { Redis } from './cluster/redis/redis.ts'
import type { Config } from './config.ts'
import type { HiddenNames } from './features/anonymous-grading/hidden-names.ts'
import type { LlmService } from './features/llm/llm-service.ts'
import type { ConnectionCounts } from './features/realtime/connection-limits.ts'
import type { SettingsStore } from './features/settings/settings-store.ts'
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

/** What happened, and which assignment's watchers are notified. */
export type AppEvents = {
  [K in keyof ServerEvents]: { assignmentId: number; payload: Parameters<ServerEvents[K]>[0] }
} & {
  /** `userId` hears of it wherever they are: who started the run, or who is tried out on. */
  completion_for_user: { userId: number; payload: AssignmentCompletion }
  /** An answer whose words were corrected is scored by them now, or cannot be. */
  answer_rescored: { assignmentId: number }
  session_ended: { sessionId: string }
  /** An LMS was added, removed or moved: whose pages may frame ours is to be looked up again. */
  lti_platforms_changed: Record<string, never>
  /** Somebody has opened a question to grade it, still has it open, or has closed it. */
  grading_announced: { assignmentId: number; questionId: string; grader: ActiveGrader; open: boolean }
  /** What a process has open of websockets. */
  connections_counted: ConnectionCounts
  /** An LLM's provider is to be left alone for a while, or not any more. `provider` is a hash. */
  llm_circuit_changed: { provider: string; change: CircuitChange }
}

/** What a process is made of, beside the database connection: handed to the features that need it. */
export interface Services {
  config: Config
  /** What administrators may change while Assay runs; `config` has the rest. */
  settings: SettingsStore
  log: Log
  metrics: Metrics
  clock: Clock
  files: FileStore
  /** For files that come in or are made, until they are in `files`. This process's own. */
  uploadFolder: string
  papers: PaperReader
  /** Hides names in texts and pages of papers, where an assignment hides them. */
  names: HiddenNames
  grader: Grader
  /** The LLMs that may grade instead, by settings. */
  llm: LlmService
  jobs: JobQueue
  mail: Mail
  events: EventBus<AppEvents>
  /** What processes share for a moment; null where REDIS_URL is not set. */
  redis: Redis | null
}
