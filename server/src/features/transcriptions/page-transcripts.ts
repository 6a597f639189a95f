import type { Page, Paper } from '@assay/shared/papers.ts'
import { coverRegions } from '../../grader/anonymizer/cover-names.ts'
import { LlmError } from '../../grader/llm/errors/llm-error.ts'
import type { LlmClient } from '../../grader/llm/llm-request.ts'
import { mergeTranscribedLines } from '../../grader/transcribe/merge-transcribed-lines.ts'
import { TRANSCRIPTION_PROMPT_VERSION, transcribePage } from '../../grader/transcribe/transcribe-page.ts'
import { PageTranscriptModel, transcriptId } from '../../records/submissions/page-transcript.model.ts'
import type { Services } from '../../services.ts'
import type { ChosenLlm } from '../llm/llm-service.ts'
import { renderStoredPage } from '../submissions/pages/paper-reading.service.ts'

/** In pixels: enough for handwriting; providers scale larger images down. */
const IMAGE_WIDTH = 1500

/** Under which an LLM's transcripts are stored. */
export const transcriberName = (chosen: Pick<ChosenLlm, 'name'>) => `${chosen.name} ${TRANSCRIPTION_PROMPT_VERSION}`

/** Of such a name, or of `answerReaderName`. */
export const modelOfTranscriber = (readBy: string) => readBy.slice(0, readBy.lastIndexOf(' '))

/** `missing`: pages without a stored transcript. */
export async function withTranscripts(
  paper: Paper,
  hash: string,
  readBy: string,
): Promise<{ paper: Paper; missing: Page[] }> {
  const ids = paper.pages.map(({ number }) => transcriptId(hash, number, readBy))
  const stored = await PageTranscriptModel.find({ _id: { $in: ids } }).lean()
  const transcripts = new Map(stored.map((one) => [one._id, one]))
  const readOf = ({ number }: Page) => transcripts.get(transcriptId(hash, number, readBy))
  const pages = paper.pages.map((page) => {
    const own = readOf(page)
    return own ? mergeTranscribedLines(page, own.lines) : page
  })
  return { paper: { pages }, missing: paper.pages.filter((page) => !readOf(page)) }
}

interface TranscriptionTask {
  hash: string
  readBy: string
  client: LlmClient
  onPageStart?: (page: Page) => Promise<void>
}

/** Stores each page. Returns pages that failed by no fault of the provider, with the reason. @throws {LlmError} */
export async function transcribePages(
  { hash, readBy, client, onPageStart }: TranscriptionTask,
  missing: Page[],
  services: Services,
  signal: AbortSignal,
): Promise<{ page: number; message: string }[]> {
  const unread: { page: number; message: string }[] = []
  for (const page of missing) {
    const { number, width, height } = page
    await onPageStart?.(page)
    const png = await renderStoredPage(hash, number, IMAGE_WIDTH, services)
    // A teacher's own paper names no student.
    const picture = await coverRegions(png, { width, height }, [])
    try {
      const { lines } = await transcribePage(client, picture, signal)
      const transcript = { file_hash: hash, lines, at: services.clock.now() }
      await PageTranscriptModel.updateOne(
        { _id: transcriptId(hash, number, readBy) },
        { $set: transcript },
        { upsert: true },
      )
    } catch (error) {
      if (!(error instanceof LlmError) || error.scope !== 'request') throw error
      unread.push({ page: number, message: error.message })
    }
    signal.throwIfAborted()
  }
  return unread
}
