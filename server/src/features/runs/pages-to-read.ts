import type { Tokens } from '../../grader/model/tokens.ts'
import { estimatePage } from '../../grader/transcribe/estimate-page.ts'
import type { ChosenModel } from '../model/models.ts'
import { findStoredReading } from '../submissions/reading.service.ts'
import { SubmissionModel } from '../submissions/submission.model.ts'
import { asReadByModel, pagesForModel, readerOf } from '../transcriptions/read-by-model.ts'
import { type Ahead, USUAL_PAGES } from './look-ahead.ts'

export interface PagesToRead extends Tokens {
  pages: number
}

/**
 * The pages that a model would be asked to read before it grades: of papers said to be handwritten all, of others those that OCR hardly
 * could; of blank and key those scanned, where the rubric is still to be made; and none that it has read before. What nobody has looked
 * at yet is taken to have the blank's pages, and as many bad ones as others.
 * @param some the papers looked at, which stand for `all` of them
 */
export async function pagesToRead(
  some: number[],
  all: number,
  ahead: Ahead | null,
  chosen: ChosenModel,
): Promise<PagesToRead> {
  const sum: PagesToRead = { pages: 0, input_tokens: 0, output_tokens: 0 }
  if (!chosen.pictures || some.length === 0) return sum
  const reader = readerOf(chosen)
  const add = (lines: number | null, times = 1) => {
    const one = estimatePage(lines)
    sum.pages += times
    sum.input_tokens += times * one.input_tokens
    sum.output_tokens += times * one.output_tokens
  }
  let [typed, hardlyRead, unknown] = [0, 0, 0]
  const files = SubmissionModel.find({ _id: { $in: some } }, { file: 1 })
    .lean()
    .cursor()
  for await (const { file } of files) {
    const paper = await findStoredReading(file.hash)
    if (paper) {
      const { missing } = await asReadByModel(paper, file, reader)
      for (const page of missing) add(page.lines.length)
      if (!file.handwritten) {
        typed++
        hardlyRead += pagesForModel(paper, false).length
      }
    } else if (file.handwritten) add(null, ahead?.pages ?? USUAL_PAGES)
    else unknown++
  }
  if (typed > 0) add(null, (unknown * hardlyRead) / typed)
  const scale = all / some.length
  sum.pages = Math.round(sum.pages * scale)
  sum.input_tokens *= scale
  sum.output_tokens *= scale
  for (const lines of ahead?.unread ?? []) add(lines)
  return sum
}
