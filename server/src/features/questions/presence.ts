import type { ActiveGrader } from '@assay/shared/questions.ts'

/** How long somebody counts as there after they last said so, in ms: browsers repeat it every 20 s. */
const PRESENT_MS = 45_000

interface Present {
  grader: ActiveGrader
  seen: number
}

/** Who has which question open. Held in memory: a restart forgets it, and browsers tell it again. */
export class Presence {
  readonly #byQuestion = new Map<string, Map<number, Present>>()

  announce(assignmentId: number, questionId: string, grader: ActiveGrader, now: Date): void {
    const key = `${assignmentId}/${questionId}`
    const present = this.#byQuestion.get(key) ?? new Map<number, Present>()
    present.set(grader.id, { grader, seen: now.getTime() })
    this.#byQuestion.set(key, present)
  }

  leave(assignmentId: number, questionId: string, graderId: number): void {
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
