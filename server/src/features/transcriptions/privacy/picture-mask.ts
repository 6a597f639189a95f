import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { createMask, type Mask } from '../../../grader/anonymizer/mask.ts'
import type { NameBook } from '../../../grader/anonymizer/name-book.ts'
import { findOwnerHints, nameIn } from '../../../grader/extraction/owner/owner-hints.ts'
import { visibleLines } from '../../../grader/layout/paper-lines.ts'
import { rubricText } from '../../../grader/rubric/rubric-text.ts'
import { PromiseCache } from '../../../lib/promise-cache.ts'
import { buildCourseNameBook, identifies, identifyingWords } from './identifying-words.ts'

interface MaskInput {
  paper: Paper
  blank: Paper
  rubric: Rubric
  around: NameBook
}

/** Lines are covered whole and lost to the reader, so another student's given name alone covers nothing. */
export async function createPictureMask(
  submission: Parameters<typeof identifyingWords>[0],
  { paper, blank, rubric, around }: MaskInput,
): Promise<Mask> {
  const lines = visibleLines(paper)
  const words = [...(await identifyingWords(submission)), nameIn(findOwnerHints(lines, visibleLines(blank))) ?? '']
  return createMask({
    private_words: words.filter(identifies),
    name_on_paper: null,
    publicText: [rubricText(rubric), ...visibleLines(blank).map(({ text }) => text)].join('\n'),
    otherNames: around,
    matchOthersSingleNames: false,
    ocr: lines.some(({ source }) => source === 'ocr' || source === 'model'),
  })
}

/** Of the runs under way: each needs them as it reads, and again as it grades. A course may grow meanwhile. */
const namesByRun = new PromiseCache<string, NameBook>({ max: 32, ttl: 60_000 })

/** Once for all papers of a run, and again after a while. */
export function cachedCourseNames(
  key: string | null,
  assignment: Parameters<typeof buildCourseNameBook>[0],
): Promise<NameBook> {
  const build = () => buildCourseNameBook(assignment)
  return key === null ? build() : namesByRun.get(key, build)
}
