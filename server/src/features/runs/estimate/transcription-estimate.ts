import type { TokenCounts } from '../../../grader/llm/tokens.ts'
import { estimatePageTokens } from '../../../grader/transcribe/estimate-page-tokens.ts'
import type { ChosenLlm } from '../../llm/llm-service.ts'
import { findStoredReading } from '../../submissions/pages/paper-reading.service.ts'
import { streamSubmissionFiles } from '../../submissions/submission-grading.ts'
import { pagesToTranscribe, transcriberName, withTranscripts } from '../../transcriptions/page-transcripts.ts'
import { type AssignmentPreview, DEFAULT_PAGE_COUNT } from './assignment-preview.ts'

interface TranscriptionEstimate extends TokenCounts {
  pages: number
}

/**
 * The pages that an LLM would transcribe before it grades: of papers said to be handwritten all, of others those that OCR hardly
 * could read; of blank and key those scanned, where the rubric is still to be made; and none that it has transcribed before. What was not read
 * yet is assumed to have the blank's pages, and as many badly read ones as others.
 * @param some a sample of the papers, representing `all` of them
 */
export async function estimateTranscription(
  some: number[],
  all: number,
  ahead: AssignmentPreview | null,
  chosen: ChosenLlm,
): Promise<TranscriptionEstimate> {
  const sum: TranscriptionEstimate = { pages: 0, input_tokens: 0, output_tokens: 0 }
  if (!chosen.pictures || some.length === 0) return sum
  const reader = transcriberName(chosen)
  const add = (lines: number | null, times = 1) => {
    const one = estimatePageTokens(lines)
    sum.pages += times
    sum.input_tokens += times * one.input_tokens
    sum.output_tokens += times * one.output_tokens
  }
  let [typed, hardlyRead, unknown] = [0, 0, 0]
  for await (const { file } of streamSubmissionFiles(some)) {
    const paper = await findStoredReading(file.hash)
    if (paper) {
      const { missing } = await withTranscripts(paper, file, reader)
      for (const page of missing) add(page.lines.length)
      if (!file.handwritten) {
        typed++
        hardlyRead += pagesToTranscribe(paper, false).length
      }
    } else if (file.handwritten) add(null, ahead?.pageCount ?? DEFAULT_PAGE_COUNT)
    else unknown++
  }
  if (typed > 0) add(null, (unknown * hardlyRead) / typed)
  const scale = all / some.length
  sum.pages = Math.round(sum.pages * scale)
  sum.input_tokens *= scale
  sum.output_tokens *= scale
  for (const lines of ahead?.untranscribedLineCounts ?? []) add(lines)
  return sum
}
