import type { Box, Line } from '@assay/shared/papers.ts'
import { joinWords, linesInBox } from '../../grader/layout/words-in-box.ts'
import { answerInBox } from '../../grader/rubric/key/answer-in-box.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { RubricUnavailableError, readBlankOrKey } from './assignment-rubric.ts'

/** The words in a rectangle of a page of the blank or the key, a line each; of the key what the blank does not print. */
export async function readTextInBox(
  assignment: AssignmentDoc,
  which: 'blank' | 'key',
  { page, box }: { page: number; box: Box },
  services: Services,
  signal: AbortSignal,
): Promise<string> {
  const read = async (paper: 'blank' | 'key') => (await readBlankOrKey(paper, assignment, services, signal, null)).paper
  try {
    const blank = await read('blank')
    if (which === 'key') return answerInBox(blank, await read('key'), page, box)
    return textInBox(blank.pages.find(({ number }) => number === page)?.lines ?? [], box)
  } catch (error) {
    if (!(error instanceof RubricUnavailableError)) throw error
    throw new AppError('bad_request', error.message, { cause: error })
  }
}

export const textInBox = (lines: readonly Line[], box: Box): string =>
  linesInBox(lines, box)
    .map(({ words }) => joinWords(words.filter(({ inside }) => inside)))
    .join('\n')
