import type { ActiveGrader } from '@assay/shared/questions.ts'
import type { Services } from '../../services.ts'

/** How long somebody counts as there after they last said so, in ms: browsers repeat it every 20 s. */
const PRESENT_MS = 45_000

interface Present {
  grader: ActiveGrader
  seen: number
}

/** Who has which question open, in all processes. Held in memory: a restart forgets it, and browsers tell it again. */
export class Presence {
  readonly #byQuestion = new Map<string, Map<number, Present>>()

  constructor({ events, clock }: Pick<Services, 'events' | 'clock'>) {
    events.onAny('grading_announced', ({ assignmentId, questionId, grader, open }) => {
      if (open) this.#announce(assignmentId, questionId, grader, clock.now())
      else this.#leave(assignmentId, questionId, grader.id)
    })
  }

  #announce(assignmentId: number, questionId: string, grader: ActiveGrader, now: Date): void {
    const key = `${assignmentId}/${questionId}`
    const present = this.#byQuestion.get(key) ?? new Map<number, Present>()
    present.set(grader.id, { grader, seen: now.getTime() })
    this.#byQuestion.set(key, present)
  }

  #leave(assignmentId: number, questionId: string, graderId: number): void {
    this.#byQuestion.get(`${assignmentId}/${questionId}`)?.delete(graderId)
  }

  /** Those there but `except`, by name. */
  others(assignmentId: number, questionId: string, except: number, now: Date): ActiveGrader[] {
    const key = `${assignmentId}/${questionId}`
    const present = this.#byQuestion.get(key)
    if (!present) return []
    for (const [id, { seen }] of present) if (now.getTime() - seen > PRESENT_MS) present.delete(id)
    if (present.size === 0) this.#byQuestion.delete(key)
    return [...present.values()]
      .map(({ grader }) => grader)
      .filter(({ id }) => id !== except)
      .sort((a, b) => a.name.localeCompare(b.name))
  }
}
