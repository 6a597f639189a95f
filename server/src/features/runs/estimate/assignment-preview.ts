import type { Rubric } from '@assay/shared/rubrics.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { Services } from '../../../services.ts'
import type { ChosenLlm } from '../../llm/llm-service.ts'
import { RubricUnavailableError, readBlankOrKey } from '../../rubrics/assignment-rubric.ts'

/** In ms: a person is waiting, so what takes longer is guessed. */
const TIMEOUT_MS = 4_000

/** Where the blank's number of pages is unknown. */
export const DEFAULT_PAGE_COUNT = 2

export interface AssignmentPreview {
  /** Null where the blank could not be read in time. */
  pageCount: number | null
  /** As a run would make it by the rules, where there is none yet. Not stored. */
  rubric: Rubric | null
  /** Of blank and key, for an LLM to transcribe before a rubric is made; null for an unread page. */
  untranscribedLineCounts: (number | null)[]
}

/** The readings are stored for the run, which reports why they cannot be read. */
export async function previewAssignment(
  assignment: AssignmentDoc,
  { pictures }: Pick<ChosenLlm, 'pictures'>,
  services: Services,
): Promise<AssignmentPreview> {
  const ahead: AssignmentPreview = { pageCount: null, rubric: assignment.rubric, untranscribedLineCounts: [] }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const read = async (which: 'blank' | 'key') => {
    try {
      return await readBlankOrKey(which, assignment, services, signal, null)
    } catch (error) {
      if (!(error instanceof RubricUnavailableError) && !(error instanceof PaperError)) throw error
      // Typed ones are read at once: what takes that long is most likely a scan.
      if (signal.aborted && pictures && !assignment.rubric)
        ahead.untranscribedLineCounts.push(...Array<null>(ahead.pageCount ?? DEFAULT_PAGE_COUNT).fill(null))
      return null
    }
  }
  const blank = await read('blank')
  if (blank) ahead.pageCount = Math.max(1, blank.paper.pages.length)
  if (assignment.rubric) return ahead
  const key = await read('key')
  for (const { lines } of [blank, key].flatMap((one) => one?.untranscribed ?? []))
    ahead.untranscribedLineCounts.push(lines.length)
  if (!blank || !key) return ahead
  const made = await services.grader.generateRubric(blank.paper, key.paper)
  if (made.questions.length > 0) ahead.rubric = made
  return ahead
}
