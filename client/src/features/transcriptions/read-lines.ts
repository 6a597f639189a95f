import type { Box, Line } from '@assay/shared/papers.ts'
import type { ReadAnswer, Transcription } from '@assay/shared/transcriptions.ts'
import type { PdfMark } from '../../components/pdf/PdfMarks.tsx'

/** Read less surely than this, words are only a hint (`docs/papers.md`). */
export const POOR_READING = 0.75

/** A line of an answer, or of the page beside it. */
export interface ReadLine {
  /** What its mark on the paper and its row in the list have in common. */
  group: string
  page: number
  box: Box
  text: string
  /** 0..1. */
  confidence: number
  poor: boolean
}

const sameBox = (a: Box, b: Box) => Math.abs(a.x - b.x) < 0.5 && Math.abs(a.y - b.y) < 0.5

const lineAt = (read: Transcription, page: number, box: Box): Line | undefined =>
  read.pages.find(({ number }) => number === page)?.lines.find((line) => sameBox(line.box, box))

/** The lines an answer is made of. What a teacher has put right is sure. */
export function linesOfAnswer(read: Transcription, answer: ReadAnswer): ReadLine[] {
  return answer.evidence.map(({ page, box, quote }, i) => {
    const confidence = answer.corrected ? 1 : (lineAt(read, page, box)?.confidence ?? answer.reading)
    const poor = confidence < POOR_READING
    return { group: `answer ${answer.question_id} ${i}`, page, box, text: quote, confidence, poor }
  })
}

/** What else stands on the pages: print, names, what belongs to no question. What cannot be seen is left out. */
export function otherLines(read: Transcription): ReadLine[] {
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
              poor: confidence < POOR_READING,
            },
          ],
    ),
  )
}

/** Every line on the paper, the answers' with their question's number. */
export function lineMarks(read: Transcription): PdfMark[] {
  const answers = read.answers.flatMap((answer) =>
    linesOfAnswer(read, answer).map((line, i) => toMark(line, i === 0 ? answer.number : '')),
  )
  return [...answers, ...otherLines(read).map((line) => toMark(line, ''))]
}

const toMark = ({ group, page, box, text, confidence, poor }: ReadLine, tag: string): PdfMark => ({
  group,
  page,
  box,
  tag,
  tone: poor ? 'poor' : 'read',
  label: `${tag ? `Answer ${tag}, line` : 'Line'} read as “${text}”${poor ? `, ${sureness(confidence)}` : ''}`,
})

export const sureness = (confidence: number) => `${Math.round(confidence * 100)} % sure`

/** Answers that were read from a picture, and not surely. */
export const poorAnswers = (read: Transcription): ReadAnswer[] =>
  read.answers.filter(({ reading, corrected, text }) => !corrected && text !== '' && reading < POOR_READING)
