import type { Evidence } from '@assay/shared/papers.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { clamp } from '../../lib/numbers.ts'
import { classSharedWords, createMask, hasOcrText, type Mask } from '../anonymizer/mask.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { Answer, ClassAnswers, ExtractedSubmission, GradeContext, Picture, SuggestedGrade } from '../grader.ts'
import { rubricText } from '../rubric/rubric-text.ts'
import { teacherScoresFor } from '../scoring/teacher-scores.ts'
import { classVocabulary, outlierSentences } from './checks/outlier-sentences.ts'
import { earlierAnswers, needsLlm, needsPicture } from './needs-llm.ts'
import type { PreparedQuestion } from './prompt/grading-prompt.ts'

interface PreparationInput {
  rubric: Rubric
  questions: readonly Question[]
  extracted: ExtractedSubmission
  id: number
  everyone: ClassAnswers
  byRules: SuggestedGrade
  context: GradeContext
  mask: Mask
  /** Absent where the LLM may not see pages. */
  pagePicture: GradeContext['pagePicture'] | undefined
}

export async function prepareQuestions(what: PreparationInput): Promise<PreparedQuestion[]> {
  const { rubric, extracted, id, everyone, byRules, context, mask, pagePicture } = what
  const publicText = rubricText(rubric)
  const asked: PreparedQuestion[] = []
  for (const question of rubric.questions) {
    const answer = extracted.answers.find((one) => one.question_id === question.id)
    const rules = byRules.criteria.filter((one) => one.question_id === question.id)
    if (isDecidedByTeacher(question, id, context)) continue
    if (!needsLlm(question, answer, rules, pagePicture !== undefined)) continue
    context.signal?.throwIfAborted()
    const look = pagePicture && needsPicture(question, answer)
    const text = mask.hide(answer.text)
    const identifying = mask.identifyingLines(answer.evidence.map(({ quote }) => quote))
    const identifyingLines = answer.evidence.filter((_, line) => identifying.has(line))
    const pictures = look ? await cropAnswerPictures(question, answer, pagePicture, identifyingLines) : []
    // OCR's guess alone is nothing to grade.
    if (answer.unreadable && pictures.length === 0) continue
    asked.push({
      // A teacher's notes may speak of a student.
      question: question.notes ? { ...question, notes: mask.hide(question.notes) } : question,
      text,
      reading: answer.reading,
      earlier: earlierAnswers(question, what.questions, extracted.answers).map((one) => ({
        ...one,
        text: mask.hide(one.text),
      })),
      examples: await chooseExamples(question, id, everyone, context, publicText),
      pictures,
      outlierSentences: outlierSentences(question, text, classVocabulary(everyone, question.id, id)),
    })
  }
  return asked
}

/** An explicit request means something new, like misread words. */
export function isDecidedByTeacher(question: Question, id: number, { anchors, only }: GradeContext): boolean {
  const settled = teacherScoresFor(id, anchors)
  return !only?.has(question.id) && question.criteria.every((criterion) => settled[criterion.id] !== undefined)
}

const MARGIN = 14 // PDF points; words may begin before the line that was read
const REGION_MARGIN = 30 // PDF points; a scan's answer is rarely exactly in the blank's space
const LONGEST = 1400 // pixels; larger pictures cost more without being read better
const PAGES = 3
const HEAD = 0.12 // of the first page's height, where names stand

/** Across the page's width, without the name above; lines identifying the student are covered. */
export async function cropAnswerPictures(
  question: Question,
  answer: Answer,
  picture: NonNullable<GradeContext['pagePicture']>,
  covered: readonly Evidence[],
): Promise<Picture[]> {
  const places = pageBandsOf(question, answer).slice(0, PAGES)
  const cut: Picture[] = []
  for (const band of places) {
    const own = covered.filter((line) => line.page === band.page)
    const one = await cropBand(await picture(band.page), band, own)
    if (one) cut.push(one)
  }
  return cut
}

interface PageBand {
  page: number
  top: number
  bottom: number
}

function pageBandsOf(question: Question, answer: Answer): PageBand[] {
  const drawn = question.kind === 'drawing' || answer.evidence.length === 0
  const boxes = [
    ...answer.evidence.map((line: Evidence) => ({ ...line, margin: MARGIN })),
    ...(drawn ? question.regions.map((region) => ({ ...region, margin: REGION_MARGIN })) : []),
  ]
  const places = new Map<number, PageBand>()
  for (const { page, box, margin } of boxes) {
    const place = places.get(page) ?? { page, top: Number.POSITIVE_INFINITY, bottom: 0 }
    place.top = Math.min(place.top, box.y - margin)
    place.bottom = Math.max(place.bottom, box.y + box.height + margin)
    places.set(page, place)
  }
  return [...places.values()].sort((a, b) => a.page - b.page)
}

async function cropBand(
  whole: Picture,
  { page, top, bottom }: PageBand,
  covered: readonly Evidence[],
): Promise<Picture | null> {
  // Most papers are typed and need no sharp.
  const { default: sharp } = await import('sharp')
  const image = sharp(whole.bytes)
  const { width, height } = await image.metadata()
  // Without the page's size boxes cannot be covered, so the whole head is cut off.
  const scale = whole.points ? height / whole.points.height : null
  const least = scale === null && page === 1 ? Math.round(height * HEAD) : 0
  const from = scale === null ? least : clamp(Math.floor(top * scale), 0, height)
  const to = scale === null ? height : clamp(Math.ceil(bottom * scale), 0, height)
  if (to - from < 8 || (scale === null && covered.length > 0)) return null
  const zoom = scale ?? 1
  const bars = covered.map(({ box }) => {
    const left = clamp(Math.floor(box.x * zoom), 0, width - 1)
    const above = clamp(Math.floor(box.y * zoom) - from, 0, to - from - 1)
    const size = {
      width: clamp(Math.ceil(box.width * zoom), 1, width - left),
      height: clamp(Math.ceil(box.height * zoom), 1, to - from - above),
    }
    return { left, top: above, input: { create: { ...size, channels: 3 as const, background: '#000000' } } }
  })
  const band = await image
    .extract({ left: 0, top: from, width, height: to - from })
    .flatten({ background: '#ffffff' })
    .composite(bars)
    .png({ compressionLevel: 1 })
    .toBuffer()
  const bytes = await sharp(band)
    .resize({ width: LONGEST, height: LONGEST, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 80 })
    .toBuffer()
  return { bytes, media_type: 'image/jpeg' }
}

const MAX_EXAMPLES = 4

/**
 * A few decisions per criterion from the lowest score to the highest, deterministic. Without a known writer or a name
 * on the paper nothing can be masked, so the example is left out.
 */
export async function chooseExamples(
  question: Question,
  id: number,
  everyone: ClassAnswers,
  { anchors = [], private_words_of, others }: Pick<GradeContext, 'anchors' | 'private_words_of' | 'others'>,
  publicText: string,
): Promise<PreparedQuestion['examples']> {
  if (anchors.length === 0 || !private_words_of) return []
  const papers = new Map(everyone.submissions.map((one) => [one.id, one.extracted]))
  const examples: PreparedQuestion['examples'] = []
  for (const criterion of question.criteria) {
    const known = anchors
      .filter((anchor) => anchor.criterion_id === criterion.id && anchor.submission_id !== id)
      .flatMap(({ submission_id, score }) => {
        const extracted = papers.get(submission_id)
        const answer = extracted?.answers.find((one) => one.question_id === question.id)
        if (!extracted || !answer || answerState(answer) !== 'read') return []
        return [{ extracted, text: answer.text, score, submission_id }]
      })
      .sort((a, b) => a.score - b.score || a.submission_id - b.submission_id)
    for (const { extracted, text, score, submission_id } of sampleEvenly(known, MAX_EXAMPLES)) {
      const whose = await private_words_of(submission_id)
      const { name_on_paper } = extracted
      if (!whose || (!whose.known && name_on_paper === null)) continue
      const mask = createMask({
        private_words: whose.words,
        name_on_paper,
        publicText,
        otherNames: others,
        isSharedWord: classSharedWords(everyone, submission_id),
        ocr: hasOcrText(extracted),
      })
      examples.push({ criterion_id: criterion.id, text: mask.hide(text), score })
    }
  }
  return examples
}

function sampleEvenly<T>(list: T[], most: number): T[] {
  if (list.length <= most) return list
  return Array.from({ length: most }, (_, i) => list[Math.round((i * (list.length - 1)) / (most - 1))]).filter(
    (one) => one !== undefined,
  )
}
