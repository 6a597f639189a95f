import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { plainMath } from '../exact/numbers/plain-math.ts'
import { readQuantity } from '../exact/quantity.ts'
import { readStatedPoint } from '../exact/statements/stated-point.ts'
import { readUnit } from '../exact/units/read-unit.ts'

const ASKS_FOR_SOME =
  /\b(?:name|give|state|list|identify|outline|describe|suggest|explain|mention|write(?:\s+down)?)\s+(?:any\s+)?(two|three|four|five|[2-5])\b/i
const NUMBERS = ['one', 'two', 'three', 'four', 'five']
/** “E”, “E (Floodplain)”: the words of what it stands for may follow. */
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
      // “Write the letter of its description beside each word.”
      if (run.length >= LEAST_LETTERS) for (const one of run) answerByLetter(one)
      run = []
    }
  }
}

function givesLetter({ prompt }: Question, expected: string): boolean {
  const found = LETTER.exec(expected)
  // “B (boron)” may be a symbol and its name.
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

/** “(a =) 1.5”: what is in brackets need not be written. */
function quantityIn(text: string): string | null {
  const plain = text.replace(/^\s*\([^()]*=\s*\)\s*/, '').trim()
  return readQuantity(plain) ? plain : null
}

const MOST_FORMAL_WORDS = 3

const isWorded = ({ expected }: Criterion): boolean =>
  readStatedPoint(expected) === null && (expected.match(/\p{L}{3,}/gu) ?? []).length > MOST_FORMAL_WORDS
