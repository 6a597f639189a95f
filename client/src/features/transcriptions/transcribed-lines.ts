import type { Box, Line } from '@assay/shared/papers.ts'
import type { TranscribedAnswer, Transcription } from '@assay/shared/transcriptions.ts'
import type { PdfHighlight } from '../../components/pdf/PdfHighlights.tsx'

/** Read less surely than this, words are only a hint (`docs/lab/papers.md`). */
export const LOW_CONFIDENCE = 0.75

export interface TranscribedLine {
  group: string
  page: number
  box: Box
  text: string
  confidence: number
  lowConfidence: boolean
}

const overlap = (a0: number, aSize: number, b0: number, bSize: number) =>
  Math.max(0, Math.min(a0 + aSize, b0 + bSize) - Math.max(a0, b0))

/** An answer's place is that of its ink, which differs a little from its line's. */
function sameBox(a: Box, b: Box): boolean {
  const shared = overlap(a.x, a.width, b.x, b.width) * overlap(a.y, a.height, b.y, b.height)
  return shared > (a.width * a.height + b.width * b.height - shared) / 2
}

const lineAt = (read: Transcription, page: number, box: Box): Line | undefined =>
  read.pages.find(({ number }) => number === page)?.lines.find((line) => sameBox(line.box, box))

/** What a teacher has corrected is sure. */
export function linesOfAnswer(read: Transcription, answer: TranscribedAnswer): TranscribedLine[] {
  return answer.evidence.map(({ page, box, quote }, i) => {
    // OCR of a sheet's print says nothing of its circles.
    const known = answer.corrected ? 1 : answer.sheet ? Number(answer.text !== '') : null
    const confidence = known ?? lineAt(read, page, box)?.confidence ?? answer.reading
    const lowConfidence = confidence < LOW_CONFIDENCE
    // What was not read of an answer sheet can still be shown.
    const text = quote === '' && answer.sheet ? 'Its circles on the answer sheet' : quote
    return { group: `answer ${answer.question_id} ${i}`, page, box, text, confidence, lowConfidence }
  })
}

/** Print, names, what belongs to no question. What cannot be seen is left out. */
export function otherLines(read: Transcription): TranscribedLine[] {
  const used = read.answers.flatMap(({ evidence }) => evidence)
  return read.pages.flatMap(({ number, lines }) =>
    lines.flatMap(({ text, box, confidence, hidden }, i) =>
      hidden || used.some((place) => place.page === number && sameBox(place.box, box))
        ? []
        : [
            {
              group: `line ${number} ${i}`,
              page: number,
              box,
              text,
              confidence,
              lowConfidence: confidence < LOW_CONFIDENCE,
            },
          ],
    ),
  )
}

export function lineHighlights(read: Transcription): PdfHighlight[] {
  const answers = read.answers.flatMap((answer) =>
    linesOfAnswer(read, answer).map((line, i) => toHighlight(line, i === 0 ? answer.number : '')),
  )
  return [...answers, ...otherLines(read).map((line) => toHighlight(line, ''))]
}

const toHighlight = (
  { group, page, box, text, confidence, lowConfidence }: TranscribedLine,
  tag: string,
): PdfHighlight => ({
  group,
  page,
  box,
  tag,
  tone: lowConfidence ? 'poor' : 'read',
  label: `${tag ? `Answer ${tag}, line` : 'Line'} read as “${text}”${lowConfidence ? `, ${confidenceText(confidence)}` : ''}`,
})

export const confidenceText = (confidence: number) => `${Math.round(confidence * 100)} % confidence`

export const lowConfidenceAnswers = (read: Transcription): TranscribedAnswer[] =>
  read.answers.filter(({ reading, corrected, text }) => !corrected && text !== '' && reading < LOW_CONFIDENCE)
