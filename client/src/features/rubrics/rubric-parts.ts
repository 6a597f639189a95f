import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { numberLevels } from '@assay/shared/rules/question-numbers.ts'
import { newQuestion } from './rubric-draft.ts'
import { setPoints } from './rubric-fixes.ts'

export interface QuestionPart {
  number: string
  points: number
  /** The line of the question's text (from 0) where it begins; null at its printed number. */
  line: number | null
}

export function suggestedParts(question: Question, numbers?: readonly string[]): QuestionPart[] {
  const [first, second] = numbers ?? ['a', 'b'].map((name) => `${question.number} ${name}`)
  const points = spreadPoints([0, 0], questionPoints(question))
  return [first, second].map((number = '', i) => ({ number, points: points[i] ?? 0, line: null }))
}

const sumOf = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0)

/**
 * In halves where they go into `total`. Parts without points (0) share what is missing; if there are none, each keeps
 * its share.
 */
export function spreadPoints(points: readonly number[], total: number): number[] {
  const isOpen = points.includes(0)
  const missing = roundPoints(total - sumOf(points))
  const onlyOpen = isOpen && missing > 0
  const spread = onlyOpen ? missing : total
  const weights = isOpen ? points.map((one) => (onlyOpen && one > 0 ? 0 : 1)) : points
  const shares = weights.map((weight) => (spread * weight) / sumOf(weights))
  const inHalves = Number.isInteger(2 * spread) && shares.every((share) => share === 0 || share >= 0.5)
  const rounded = (sum: number) => (inHalves ? Math.round(2 * sum) / 2 : roundPoints(sum))
  return shares.map((share, i) => {
    const before = sumOf(shares.slice(0, i))
    return share === 0 ? (points[i] ?? 0) : roundPoints(rounded(before + share) - rounded(before))
  })
}

/** 2 c after 2 b, 4 after 3. */
export function nextNumber(number: string): string {
  const digits = /\d+$/.exec(number)?.[0]
  if (digits) return `${number.slice(0, -digits.length)}${Number(digits) + 1}`
  const letter = /[a-y]$/i.exec(number)?.[0]
  return letter ? `${number.slice(0, -1)}${String.fromCharCode(letter.charCodeAt(0) + 1)}` : ''
}

/**
 * Texts are divided at the parts’ printed numbers; criteria and answer areas go one to each part where there are as
 * many, else to the first.
 */
export function splitIntoParts(rubric: Rubric, id: string, parts: readonly QuestionPart[]): Rubric {
  const at = rubric.questions.findIndex((question) => question.id === id)
  const question = rubric.questions[at]
  if (!question || parts.length < 2) return rubric
  const { printed_points: _, ...whole } = question
  const labels = parts.map(({ number }) => numberLevels(number).levels.at(-1) ?? number)
  const lines = parts.map(({ line }) => line)
  const prompts = divideByLabels(question.prompt, labels, lines)
  const [criterion] = question.criteria
  const answers = divideByLabels(criterion?.expected ?? '', labels)
  const each = question.criteria.length === parts.length
  let next = rubric
  const made = parts.map(({ number }, i): Question => {
    const fresh = newQuestion(next, number)
    const first = i === 0
    const prompt = prompts[i] ?? ''
    const own = each ? question.criteria.slice(i, i + 1) : first ? question.criteria : []
    const divided = answers.some((text, j) => j > 0 && text !== '')
    const part: Question = {
      ...(first ? whole : fresh),
      number,
      prompt,
      kind: question.kind,
      criteria:
        own.length > 0
          ? own.map((one, j) => (!each && divided && j === 0 ? { ...one, expected: answers[0] ?? '' } : one))
          : fresh.criteria.map((one) => ({
              ...one,
              text: prompt.split('\n')[0]?.slice(0, 200) || `Question ${number}`,
              expected: answers[i] ?? '',
            })),
      regions:
        question.regions.length === parts.length ? question.regions.slice(i, i + 1) : first ? question.regions : [],
    }
    next = { ...next, questions: [...next.questions, part] }
    return part
  })
  const split = { ...rubric, questions: rubric.questions.toSpliced(at, 1, ...made) }
  return made.reduce((now, part, i) => setPoints(now, part.id, parts[i]?.points ?? 1), split)
}

/**
 * Cut before each label: “a) …”, “(b) …”, “2. …”, or at its line if known. What comes before belongs to the first; ''
 * for one missing.
 */
function divideByLabels(text: string, labels: readonly string[], lines: readonly (number | null)[] = []) {
  const found: { label: number; from: number; to: number }[] = []
  let after = 0
  labels.forEach((label, i) => {
    const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const pattern = new RegExp(String.raw`(?:^|\n|[.;:?!,]\s)\s*(\(?\b${escaped}\s*[).:]\s+)`, 'giu')
    pattern.lastIndex = Math.max(0, after - 1)
    const match = pattern.exec(text)
    const line = lines[i] ?? null
    const at = line === null ? null : text.split('\n').slice(0, line).join('\n').length
    if (!match && at === null) return
    const to = at ?? pattern.lastIndex
    found.push({ label: i, from: at ?? to - (match?.[1]?.length ?? 0), to })
    after = to
  })
  const texts = labels.map(() => '')
  found.forEach(({ label, to }, k) => {
    texts[label] = text.slice(to, found[k + 1]?.from).trim()
  })
  const stem = text.slice(0, found[0]?.from).trim()
  if (stem !== '') texts[0] = [stem, texts[0]].filter(Boolean).join('\n')
  return texts
}
