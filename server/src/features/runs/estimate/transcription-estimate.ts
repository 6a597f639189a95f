import type { Rubric } from '@assay/shared/rubrics.ts'
import type { TokenCounts } from '../../../grader/llm/tokens.ts'
import { estimatePageTokens } from '../../../grader/transcribe/estimate-page-tokens.ts'
import { estimateReadingTokens } from '../../../grader/transcribe/estimate-reading-tokens.ts'
import { isPicture, isWhollyDamaged } from '../../../grader/transcribe/pages-to-read.ts'
import type { ChosenLlm } from '../../llm/llm-service.ts'
import { findStoredReading } from '../../submissions/pages/paper-reading.service.ts'
import { streamSubmissionFiles } from '../../submissions/submission-grading.ts'
import { answerReaderName, hasReading } from '../../transcriptions/answer-readings.ts'
import { type AssignmentPreview, DEFAULT_PAGE_COUNT } from './assignment-preview.ts'

interface TranscriptionEstimate extends TokenCounts {
  pages: number
}

interface PapersToRead {
  assignmentId: number
  /** A sample of the papers, representing `all` of them. */
  some: number[]
  all: number
  rubric: Rubric | null
}

/**
 * The pages that an LLM would read before it grades: of papers said to be handwritten all, of others those that are pictures; of blank and
 * key those scanned, where the rubric is still to be made; and none that it has read before. What was not read yet is assumed to have the
 * blank's pages, and as many pictures as others. Pages it is shown because an answer was not found cannot be known beforehand.
 */
export async function estimateTranscription(
  { assignmentId, some, all, rubric }: PapersToRead,
  ahead: AssignmentPreview | null,
  chosen: ChosenLlm,
): Promise<TranscriptionEstimate> {
  const sum: TranscriptionEstimate = { pages: 0, input_tokens: 0, output_tokens: 0 }
  if (!chosen.pictures || some.length === 0) return sum
  const reader = answerReaderName(chosen)
  const add = (pages: number, tokens: TokenCounts, times = 1) => {
    sum.pages += times * pages
    sum.input_tokens += times * tokens.input_tokens
    sum.output_tokens += times * tokens.output_tokens
  }
  const addPaper = (pages: number) => add(pages, estimateReadingTokens(pages, rubric?.questions ?? null))
  let [typed, pictures, unknown] = [0, 0, 0]
  for await (const { file } of streamSubmissionFiles(some)) {
    const paper = await findStoredReading(file.hash)
    if (paper) {
      const pages = paper.pages.filter((page) => !isWhollyDamaged(page))
      const shown = file.handwritten ? pages : pages.filter(isPicture)
      if (shown.length > 0 && !(await hasReading(file.hash, assignmentId, reader))) addPaper(shown.length)
      if (!file.handwritten) {
        typed++
        pictures += shown.length
      }
    } else if (file.handwritten) addPaper(ahead?.pageCount ?? DEFAULT_PAGE_COUNT)
    else unknown++
  }
  if (typed > 0 && pictures > 0) {
    const each = pictures / typed
    add(each, estimateReadingTokens(each, rubric?.questions ?? null), unknown)
  }
  const scale = all / some.length
  sum.pages = Math.round(sum.pages * scale)
  sum.input_tokens *= scale
  sum.output_tokens *= scale
  for (const lines of ahead?.untranscribedLineCounts ?? []) add(1, estimatePageTokens(lines))
  return sum
}
