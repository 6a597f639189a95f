import type { Criterion, Question, QuestionKind } from '@assay/shared/rubrics.ts'
import { plainMath } from '../exact/numbers/plain-math.ts'
import { readQuantity } from '../exact/quantity.ts'
import { readStatedPoint } from '../exact/statements/stated-point.ts'
import { readUnit } from '../exact/units/read-unit.ts'

const ASKS_FOR_SOME =
  /\b(?:name|give|state|list|identify|outline|describe|suggest|explain|mention|write(?:\s+down)?)\s+(?:any\s+)?(two|three|four|five|[2-5])\b/i
const NUMBERS = ['one', 'two', 'three', 'four', 'five']
const LETTER = /^\W*([A-Ja-j])\W*(?:[([]([^()[\]]{2,60})[)\]]\W*)?$/
/** So many letters in a row answer by letter, whatever is asked. */
const LEAST_LETTERS = 3

export function refineQuestionKinds(questions: Question[]): void {
  for (const question of questions) {
    takeAsPool(question)
    settleWorked(question)
  }
  let run: Question[] = []
  for (const question of [...questions, null]) {
    const [only, second] = question?.criteria ?? []
    if (question && only && !second && givesLetter(question, only.expected)) run.push(question)
    else {
      if (run.length >= LEAST_LETTERS) for (const one of run) answerByLetter(one)
      run = []
    }
  }
}

function givesLetter({ prompt }: Question, expected: string): boolean {
  const found = LETTER.exec(expected)
  return found !== null && (found[2] === undefined || /\b(?:letters?|columns?|match)/i.test(prompt))
}

function answerByLetter(question: Question): void {
  const [only] = question.criteria
  const [, letter, words] = LETTER.exec(only?.expected ?? '') ?? []
  if (question.kind !== 'text' || !only || !letter) return
  question.kind = 'choice'
  only.expected = letter
  if (words) only.alternatives = [words, ...only.alternatives]
}

/** “Give two reasons” with more than two in the key: any two of them will do. */
function takeAsPool(question: Question): void {
  const [only, second] = question.criteria
  if (question.kind !== 'text' || !only || second || /^any \w+ of: /.test(only.expected)) return
  const asked = ASKS_FOR_SOME.exec(question.prompt)?.[1]?.toLowerCase()
  if (!asked) return
  const count = NUMBERS.indexOf(asked) + 1 || Number(asked)
  const members = only.expected
    .replace(/[.\s]+$/, '')
    .split(/\s*;\s*/)
    .filter((member) => member !== '')
  if (members.length <= count) return
  only.expected = `any ${NUMBERS[count - 1]} of: ${members.join('; ')}`
  question.kind = 'set'
}

/** A number with a mark of its own for the unit is a number; a scheme mostly of worded marks is text. */
function settleWorked(question: Question): void {
  const { criteria, kind } = question
  const last = criteria.at(-1)
  if (!last || criteria.length < 2 || (kind !== 'text' && kind !== 'number' && kind !== 'formula')) return
  const unit = readUnit(plainMath(last.expected).trim())
  const number = criteria.findLast(({ expected }) => quantityIn(expected) !== null)
  if (unit && number && kind !== 'number') {
    question.kind = 'number'
    number.expected = quantityIn(number.expected) ?? number.expected
  } else if (kind !== 'text' && criteria.filter(isWorded).length > criteria.length / 2) question.kind = 'text'
}

function quantityIn(text: string): string | null {
  const plain = text.replace(/^\s*\([^()]*=\s*\)\s*/, '').trim()
  return readQuantity(plain) ? plain : null
}

const MOST_FORMAL_WORDS = 3

const isWorded = ({ expected }: Criterion): boolean =>
  readStatedPoint(expected) === null && (expected.match(/\p{L}{3,}/gu) ?? []).length > MOST_FORMAL_WORDS

/** “Draw a conclusion” and “Draw up a list” want words. */
const DRAWS =
  /^\W*(?:draw|sketch|plot|graph)\b(?!\s+(?:up|on|upon|from|out)\b)(?![^.?!]{0,30}\b(?:conclusions?|inferences?|attention|comparisons?|distinctions?|parallels?|lessons?|theory|theories)\b)/i
const SHADES = /^\W*shade\b/i
/** “Draw an arrow. Why does the water flow that way?” */
const ASKS_MORE = /\?|\b(?:why|explain|describe|calculate|state|find|give|comment)\b/i
const PROVES =
  /^\W*(?:\([a-z]\)\s*)?(?:prove\b(?!\s+(?:or disprove|wrong|right)\b)|give\s+(?:a|the)\s+(?:\w+\s+)?proof\b|write\s+(?:a|the)\s+(?:\w+\s+)?proof\b)/i
const ESSAY = /\b(?:write|compose|draft|in)\s+(?:an?|your)\s+(?:[\w-]+\s+){0,3}essay\b/i
const WORDS =
  /(?:\b(?:in|of|about|around|approximately|at\s+least|minimum(?:\s+of)?|between)\s+|^|[([])(\d{2,4})\s*(?:(?:-|–|to|and)\s*(\d{2,4})\s*)?words\b/i
const DISCUSSES =
  /\b(?:discuss|how\s+far\s+do\s+you\s+agree|to\s+what\s+extent|assess\s+the\s+view|evaluate\s+the\s+(?:statement|view|claim))\b/i
const COMPOSES = /\b(?:write|compose)\b[^?]*\b\d{2,3}\s*(?:(?:-|–|to|and)\s*\d{2,4}\s*)?words\b/is
const LEAST_ESSAY_POINTS = 4
const ESSAY_WORDS = 200 // a page of handwriting, which is judged as a whole

/** Null unless clearly a drawing, essay or proof, as these get no points until a person decides. */
export function drawingOrEssay(prompt: string, points = 0): Extract<QuestionKind, 'drawing' | 'essay'> | null {
  if ((DRAWS.test(prompt) || SHADES.test(prompt)) && !ASKS_MORE.test(prompt)) return 'drawing'
  if (PROVES.test(prompt) || ESSAY.test(prompt)) return 'essay'
  if (points >= LEAST_ESSAY_POINTS && (DISCUSSES.test(prompt) || COMPOSES.test(prompt))) return 'essay'
  const [, from, to] = WORDS.exec(prompt) ?? []
  return from && Math.max(Number(from), Number(to ?? 0)) >= ESSAY_WORDS ? 'essay' : null
}
