import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { createMask, type Mask } from '../../grader/model/mask.ts'
import type { NameBook } from '../../grader/model/name-book.ts'
import { rubricWords } from '../../grader/model/rubric-words.ts'
import { nameOnPaper } from '../../grader/name-on-paper.ts'
import { visibleLines } from '../../grader/paper-lines.ts'
import { Recent, RUNS_AT_HAND } from '../../lib/recent.ts'
import type { Services } from '../../services.ts'
import { namesAround, privateWords } from './private-words.ts'

interface Shown {
  paper: Paper
  blank: Paper
  rubric: Rubric
  around: NameBook
}

/**
 * Tells which lines of a paper name somebody, for covering them in pictures. A line is covered from edge to edge and its words are lost to
 * whoever looks, so another student's given name alone covers nothing here.
 */
export async function maskForPictures(
  submission: Parameters<typeof privateWords>[0],
  { paper, blank, rubric, around }: Shown,
): Promise<Mask> {
  const lines = visibleLines(paper)
  const words = [...(await privateWords(submission)), nameOnPaper(lines) ?? '']
  return createMask({
    // A file's name such as “two” is nobody's.
    private_words: words.filter((word) => /[\s\d@]/.test(word) || word.length >= 6),
    name_on_paper: null,
    kept: [rubricWords(rubric), ...visibleLines(blank).map(({ text }) => text)].join('\n'),
    others: around,
    others_alone: false,
    misread: lines.some(({ source }) => source === 'ocr' || source === 'model'),
  })
}

interface Kept {
  names: Promise<NameBook>
  until: number
}

/** Those of the runs under way; one asks for them as it reads, and again as it grades. */
const recent = new Recent<Kept>(2 * RUNS_AT_HAND)
/** A course may grow while a run goes on; in ms. */
const KEPT_FOR = 60_000

/** The names around an assignment's papers, looked up once for all papers of a run and again after a while. */
export function namesOfRun(
  key: string | null,
  assignment: Parameters<typeof namesAround>[0],
  { clock }: Pick<Services, 'clock'>,
): Promise<NameBook> {
  const now = clock.now().getTime()
  const known = key === null ? undefined : recent.get(key)
  if (known && now < known.until) return known.names
  const names = namesAround(assignment)
  if (key === null) return names
  const kept = { names, until: now + KEPT_FOR }
  recent.set(key, kept)
  names.catch(() => recent.forget(key, kept))
  return names
}
