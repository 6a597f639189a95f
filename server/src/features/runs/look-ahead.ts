import type { Rubric } from '@assay/shared/rubrics.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { readStoredPaper } from '../submissions/reading.service.ts'

/** How long is waited for what can only be guessed otherwise, in ms: somebody looks on. */
const PATIENCE_MS = 4_000

/** What blank and key say of papers nobody has read yet. */
export interface Ahead {
  /** Null where the blank could not be read, or not soon. */
  pages: number | null
  /** As a run would make it by the rules, where there is none yet. Not kept. */
  rubric: Rubric | null
}

/** Reads blank and key, which a run does first of all; what is read is kept for it. Why they cannot be read is for the run to say. */
export async function lookAhead(
  { blank, key, rubric }: Pick<AssignmentDoc, 'blank' | 'key' | 'rubric'>,
  services: Services,
): Promise<Ahead> {
  const ahead: Ahead = { pages: null, rubric }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const blankPaper = await readStoredPaper(blank.hash, services, signal)
    ahead.pages = Math.max(1, blankPaper.pages.length)
    if (rubric) return ahead
    const made = await services.grader.makeRubric(
      blankPaper,
      await readStoredPaper(key.hash, services, signal),
    )
    if (made.questions.length > 0) ahead.rubric = made
  } catch (error) {
    if (!(error instanceof PaperError)) throw error
  }
  return ahead
}
