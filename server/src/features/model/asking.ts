import type { Ask } from '../../grader/model/ask.ts'
import { createAsk } from '../../grader/model/create-ask.ts'
import { createLines } from '../../grader/model/lines.ts'
import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import { guardedFetch } from '../../lib/guarded-fetch.ts'
import type { Services } from '../../services.ts'
import { Door } from './at-once.ts'
import { createLedger } from './ledger.ts'
import type { AskedAbout } from './models.ts'
import type { ResolvedModel } from './resolve-model.ts'

/**
 * Asks a model with its key, in the ledger's name. `courseBudget`: what this course may spend of the system's. `isStillChosen` is asked
 * when the question's turn has come, and throws when it is not to leave any more.
 */
export interface AskModel {
  (
    model: ResolvedModel,
    about: AskedAbout,
    courseBudget: number | null,
    isStillChosen?: () => Promise<void>,
  ): Ask
  /** Has the next question asked at once, however long the provider did not answer. */
  reopen(model: ResolvedModel): void
}

/** What asks in this process. What it learns of providers, and who waits at which door, is lost with it. */
export function createAsking(services: Pick<Services, 'config' | 'clock' | 'log'>): AskModel {
  const lines = createLines()
  const doors = new Map<string, Door>()
  const doorOf = (name: string) => {
    const door = doors.get(name) ?? new Door()
    doors.set(name, door)
    return door
  }

  const askModel: (...of: Parameters<AskModel>) => Ask = (model, about, courseBudget, isStillChosen) => {
    const { settings, source } = model
    const door = doorOf(source === 'course' ? `course/${about.course_id}` : 'system')
    return createAsk({
      settings,
      api_key: keyOf(model),
      about,
      lines,
      log: services.log,
      fetch: fetchFor(model, services),
      // What is written down before and after keeps no place at the provider.
      door: (run, signal) => {
        const inTurn = async () => {
          await isStillChosen?.()
          return run()
        }
        return door.pass(settings.at_once, inTurn, signal)
      },
      ledger: createLedger(
        {
          about,
          payer: source === 'course' ? 'course' : 'system',
          budgets: { monthly: settings.monthly_budget, course: courseBudget },
        },
        services,
      ),
    })
  }
  return Object.assign(askModel, {
    reopen: (model: ResolvedModel) => lines.to(model.settings, keyOf(model)).breaker.reopen(),
  })
}

function keyOf({ settings, key, keyUnreadable }: ResolvedModel): string {
  if (keyUnreadable)
    throw new ModelTrouble(
      'key_refused',
      'The key of the AI model was stored under another SECRET_KEY and cannot be read any more. Enter it again in the model’s settings.',
    )
  if (key === null && settings.provider !== 'openai-compatible')
    throw new ModelTrouble('key_refused', 'The AI model has no key. Enter it in the model’s settings.')
  return key ?? ''
}

/** An administrator may name any address; a teacher only public ones, looked at again at each connection. */
function fetchFor({ source }: ResolvedModel, { config }: Pick<Services, 'config'>): typeof globalThis.fetch {
  if (source !== 'course') return guardedFetch({ privateToo: true, plainHttp: true })
  const { privateAddresses, plainHttp } = config.model
  return guardedFetch({ privateToo: privateAddresses, plainHttp })
}
