import type { Box, Evidence, Paper } from '@assay/shared/papers.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { readingConfidence } from '../extraction/answer-state.ts'
import { isEmptyPaper, joinLines, NOTHING_WRITTEN } from '../extraction/extract-answers.ts'
import {
  instructionsInAnswer,
  normalizedBlankText,
  withoutInjections,
} from '../extraction/injection/without-injections.ts'
import type { Answer, ExtractedSubmission, ReviewReason } from '../grader.ts'
import { matchBlankPages } from '../layout/match-blank-pages.ts'
import { normalizeText, visibleLines } from '../layout/paper-lines.ts'
import { boxesOfTranscribedLines } from './merge-transcribed-lines.ts'
import { isPicture, type ReadAnswer } from './read-answers.ts'
import { isIllegibleLine, type TranscribedLine } from './transcribed-line.ts'

/** An LLM's reading replaces OCR's or nothing. Typed answers stay, and so do those it found nowhere. */
export function applyReadAnswers(
  extracted: ExtractedSubmission,
  read: readonly ReadAnswer[],
  { rubric, blank, paper, pages }: { rubric: Rubric; blank: Paper; paper: Paper; pages: readonly number[] },
): ExtractedSubmission {
  const pictures = new Set(
    paper.pages.filter((page) => pages.includes(page.number) && isPicture(page)).map(({ number }) => number),
  )
  const placeOf = createPlacer(read, blank, paper)
  const blankText = normalizedBlankText(visibleLines(blank))
  const reread = new Set<string>()
  const warnings: ReviewReason[] = []
  const isDamaged = paper.pages.some(({ damaged }) => damaged)
  const answers = extracted.answers.map((answer): Answer => {
    const question = rubric.questions.find(({ id }) => id === answer.question_id)
    const one = read.find(({ question_id }) => question_id === answer.question_id)
    if (!question || !one || one.state === 'not_on_these_pages' || !isInDoubt(answer, pictures, question)) return answer
    // With a page that cannot be seen, an empty place elsewhere proves nothing.
    if (isDamaged && one.state === 'nothing_written') return { ...answer, text: '', evidence: [], found: false }
    reread.add(answer.question_id)
    if (differsFromMarks(answer, one))
      warnings.push({
        code: 'graders_differ',
        message: `The answer to question ${question.number} was read as “${one.lines.map(({ text }) => text).join(' ') || 'nothing'}” by the AI model, but the marks on the page say “${answer.text}”.`,
        question_id: question.id,
        evidence: answer.evidence.slice(0, 4),
      })
    const lines = one.lines.map((line) => ({ ...line, box: placeOf(question, line) }))
    const { kept, instructions } = withoutInjections(lines, blankText)
    if (instructions.length > 0) warnings.push(instructionsInAnswer(question, instructions.map(toEvidence)))
    return answerOf(question, one, kept)
  })
  // Remarks on an answer that was read again no longer hold.
  const before = extracted.warnings.filter(
    ({ code, question_id }) =>
      code !== 'nothing_written' && !(code === 'instructions_to_grader' && question_id && reread.has(question_id)),
  )
  return {
    ...extracted,
    answers,
    warnings: [...before, ...warnings, ...(isEmptyPaper(answers) && !isDamaged ? [NOTHING_WRITTEN] : [])],
  }
}

function isInDoubt(answer: Answer, pictures: ReadonlySet<number>, question: Question): boolean {
  if (!answer.found || answer.unreadable || answer.reading < 1) return true
  if (answer.evidence.length > 0) return answer.evidence.some(({ page }) => pictures.has(page))
  return pictures.size > 0 || question.kind === 'drawing'
}

function differsFromMarks({ text, reading, found, unreadable }: Answer, { lines }: ReadAnswer): boolean {
  if (!found || unreadable || reading < 1 || text.trim() === '') return false
  const [marked, seen] = [text, lines.map((line) => line.text).join(' ')].map((words) =>
    normalizeText(words).split(' ').filter(Boolean),
  )
  const [fewer = [], more = []] = [marked ?? [], seen ?? []].sort((a, b) => a.length - b.length)
  return fewer.length === 0 ? more.length > 0 : !fewer.every((word) => more.includes(word))
}

type ReadLine = ReadAnswer['lines'][number]
type PlacedReadLine = ReadLine & { box: Box }
type PlaceOf = (question: Question, line: ReadLine) => Box

const toEvidence = ({ page, box, text }: PlacedReadLine): Evidence => ({ page, box, quote: text })

/** `lines`: without those that are meant for the grader. */
function answerOf({ id }: Question, { state }: ReadAnswer, lines: readonly PlacedReadLine[]): Answer {
  const answer: Answer = { question_id: id, text: '', found: true, evidence: [], reading: 1, seen: true }
  if (state === 'nothing_written') return answer
  const unreadable = state === 'unreadable' || (lines.length > 0 && lines.every(isIllegibleLine))
  return {
    ...answer,
    text: joinLines(lines.map(({ text }) => text)),
    evidence: lines.map(toEvidence),
    reading: readingConfidence(lines),
    ...(unreadable ? { unreadable } : {}),
  }
}

/** OCR's line, else the answer space, else where the LLM saw it. */
function createPlacer(read: readonly ReadAnswer[], blank: Paper, paper: Paper): PlaceOf {
  const boxes = new Map<TranscribedLine, { box: Box; found: boolean }>()
  const lines = read.flatMap((one) => one.lines)
  for (const page of paper.pages) {
    const own = lines.filter((line) => line.page === page.number).sort((a, b) => a.at - b.at)
    const placed = boxesOfTranscribedLines(page, own)
    for (const [i, line] of own.entries()) {
      const place = placed[i]
      if (place) boxes.set(line, place)
    }
  }
  const blankPages = matchBlankPages(paper, blank)
  const roomOn = (question: Question, page: number): Box | null => {
    const { known, pages = [] } = blankPages.get(page) ?? { known: false }
    if (!known) return null
    for (const { number, toPaperHeights } of pages)
      for (const { page: on, box } of question.regions) {
        const [top] = toPaperHeights(box.y)
        const [bottom] = toPaperHeights(box.y + box.height)
        if (on === number && top !== undefined && bottom !== undefined && bottom > top)
          return { ...box, y: top, height: bottom - top }
      }
    return null
  }
  return (question, line) => {
    const place = boxes.get(line)
    const box = place?.found ? place.box : (roomOn(question, line.page) ?? place?.box)
    return box ?? { x: 0, y: 0, width: 0, height: 0 }
  }
}
