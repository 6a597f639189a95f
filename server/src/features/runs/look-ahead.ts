import type { Rubric } from '@assay/shared/rubrics.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import type { ChosenModel } from '../model/models.ts'
import { NoRubric, readOwn } from './rubric-of-assignment.ts'

/** How long is waited for what can only be guessed otherwise, in ms: somebody looks on. */
const PATIENCE_MS = 4_000

/** Where the blank cannot tell how many pages a paper has. */
export const USUAL_PAGES = 2

/** What blank and key say of papers nobody has read yet. */
export interface Ahead {
  /** Null where the blank could not be read, or not soon. */
  pages: number | null
  /** As a run would make it by the rules, where there is none yet. Not kept. */
  rubric: Rubric | null
  /** The lines of each page of blank and key that a model is to read before a rubric is made of them; null of one nobody has looked at. */
  unread: (number | null)[]
}

/** Reads blank and key, which a run does first of all; what is read is kept for it. Why they cannot be read is for the run to say. */
export async function lookAhead(
  assignment: AssignmentDoc,
  { pictures }: Pick<ChosenModel, 'pictures'>,
  services: Services,
): Promise<Ahead> {
  const ahead: Ahead = { pages: null, rubric: assignment.rubric, unread: [] }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const read = async (which: 'blank' | 'key') => {
    try {
      return await readOwn(which, assignment, services, signal, null)
    } catch (error) {
      if (!(error instanceof NoRubric) && !(error instanceof PaperError)) throw error
      // Typed ones are read at once: what takes so long is most likely a scan.
      if (signal.aborted && pictures && !assignment.rubric)
        ahead.unread.push(...Array<null>(ahead.pages ?? USUAL_PAGES).fill(null))
      return null
    }
  }
  const blank = await read('blank')
  if (blank) ahead.pages = Math.max(1, blank.paper.pages.length)
  if (assignment.rubric) return ahead
  const key = await read('key')
  for (const { lines } of [blank, key].flatMap((one) => one?.unread ?? [])) ahead.unread.push(lines.length)
  if (!blank || !key) return ahead
  const made = await services.grader.makeRubric(blank.paper, key.paper)
  if (made.questions.length > 0) ahead.rubric = made
  return ahead
}
