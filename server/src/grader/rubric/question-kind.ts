import type { Criterion, Question, QuestionKind } from '@assay/shared/rubrics.ts'
import { bareText as bare, chooses, findChoiceOptions, offersInRow } from '@assay/shared/rules/choice-options.ts'
import { asksForSubject } from '../exact/formula-form.ts'
import { isFormulaKey } from '../exact/judge-formula.ts'
import { keyResults } from '../exact/key-results.ts'
import { listKeyKind, ORDERED } from '../exact/list-members.ts'
import { plainMath } from '../exact/numbers/plain-math.ts'
import { readQuantity } from '../exact/quantity.ts'
import { readStatedPoint } from '../exact/statements/stated-point.ts'
import { readUnit } from '../exact/units/read-unit.ts'

const TRUTH = /^\W*(true|false|t|f)\b\W*$/i
const YES_NO = /^\W*(yes|no)\b\W*$/i
const SORTS =
  /\b(?:orders?|sort|sequence|stages?|steps?|rank|arrange|by\s+(?:size|mass|age|reactivity))\b|\bnumber\s+the\b/i
/** “No (91 = 7 × 13)”, where no reason is asked for. */
const VERDICT = /^\W*(?:true|false|yes|no)\s*\([^()]+\)\W*$/i
const ASKS_TRUTH =
  /\btrue\s*(or|\/)\s*false\b|\(\s*t\s*\/\s*f\s*\)|\bT\s*\/\s*F\b|\b(?:T|true)\b\W*(?:\(true\))?\W*\bor\b\W*(?:F|false)\b/i
export const ASKS_VERDICT = /\btrue\s*(?:or|\/)\s*false\b|\byes\s*(?:or|\/)\s*no\b|\bT\s*\/\s*F\b/i
/** Intervals and coordinates, orders of growth, surds. */
const NOTATION = /^(?:[[(\]][-−+]?[\d./√]+,(?:[-−+]?[\d./√]+|[-−+]?∞)[\])[]|O\(.{1,20}\)|[-−]?\d*√\(?\d+\)?)$/
const LETTERS = /^\W*[A-Ha-h](\s*(?:[,;&+]|and|\s)\s*[A-Ha-h])*\W*$/

/** Anything but text only if the key can be compared exactly: “True, because …” wants its reason read. */
export function questionKind(prompt: string, expected: string): QuestionKind {
  const key = expected.trim()
  const options = findChoiceOptions(prompt)
  if (options.length > 0) {
    const letters = /^\W*[A-Ha-h](?:\W+[A-Ha-h]){2,}\W*$/.test(key) ? (key.match(/[A-Ha-h]/g)?.length ?? 0) : 0
    if (letters === options.length || (letters > 0 && (ORDERED.test(prompt) || SORTS.test(prompt))))
      return 'ordered_list'
    if (key === '' || LETTERS.test(key)) return 'choice'
    const plain = bare(key.replace(/^\W*[A-Ha-h](?:[.):]\s*|\s+)/, ''))
    const members = key.split(/\s*[;,\n]\s*/).map(bare)
    if (members.length > 1 && members.every((one) => options.some(({ text }) => bare(text) === one))) return 'choice'
    if (options.some((option) => bare(option.text) === plain || bare(option.text) === bare(key))) return 'choice'
  }
  // “Write the letter in the box”; “Tick one box”, with the answer among what is printed.
  if (/^\W*[A-Ha-h]\W*$/.test(key) && /\bletters?\b/i.test(prompt)) return 'choice'
  const [, ...below] = prompt.split('\n')
  if (chooses(prompt) && below.some((line) => bare(line) === bare(key))) return 'choice'
  if (!TRUTH.test(key) && !YES_NO.test(key) && offersInRow(prompt, key)) return 'choice'
  if (/^any \w+ of: /.test(key)) return 'set'
  if (TRUTH.test(key) && (key.length > 3 || ASKS_TRUTH.test(prompt))) return 'true_false'
  // NO is a gas as well.
  if (YES_NO.test(key) && !/\b(?:formulae?|symbol)\b/i.test(prompt)) return 'true_false'
  if (
    VERDICT.test(key) &&
    !/\b(?:why|explain|justify|reasons?|because|show|find|give|state|which|when|how|what|conditions?)\b/i.test(prompt)
  )
    return 'true_false'
  if (key === '' && ASKS_TRUTH.test(prompt)) return 'true_false'
  if (key === '') return 'text'
  const list = listKeyKind(prompt, key)
  if (list) return list
  if (NOTATION.test(key.replace(/\s+/g, ''))) return 'formula'
  if ((/\bformula\b/i.test(prompt) || asksForSubject(prompt)) && /=/.test(key) && isFormulaKey(prompt, key))
    return 'formula'
  if (keyResults(prompt, key).every((result) => readQuantity(result))) return 'number'
  if (/\bprime/i.test(prompt) && /^[\d\s().,*·×^²³⁰-⁹/+−-]*\d\s*[²³⁰-⁹^*·×][\d\s().,*·×^²³⁰-⁹/+−-]*$/.test(key))
    return 'formula'
  return isFormulaKey(prompt, key) ? 'formula' : 'text'
}

const NAMED =
  /^\W*(?:(?:correct\s+)?(?:answer|option|choice)\s*(?:is|:)?\s*)?[([]?([A-Ja-j])[)\]]?\s*(?:$|[.:;,–—=-]\s*(?=\S)|\s+(?=\S))/
const AT_END = /\b(?:answer|option|choice)\s+(?:is|:)\s*[([]?([A-Ja-j])[)\]]?\s*\.?\s*$/i
const ASKS_LETTER = /\bletters?\b|\bcolumns?\b|\bmatch/i

/** “C – amplitude”, “(b) because …”; null where the key names no option. */
export function chosenOption(prompt: string, key: string): string | null {
  const options = findChoiceOptions(prompt)
  if (options.length === 0 && !ASKS_LETTER.test(prompt)) return null
  const text = key.trim()
  const at = AT_END.exec(text)?.[1] ?? NAMED.exec(text)?.[1]
  if (!at) return null
  const letter = at.toUpperCase()
  const rest = bare(text.replace(NAMED, ''))
  // “A dog” begins with a word and not with a letter.
  const set = AT_END.test(text) || rest === '' || /^\W*[([]?[A-Ja-j](?:[)\]]|\s*[.:;,–—=-]|\s{2})/.test(text)
  const own = options.find((option) => option.letter === letter)
  const repeats =
    own !== undefined &&
    rest !== '' &&
    (bare(own.text).startsWith(rest.slice(0, 12)) || rest.startsWith(bare(own.text)))
  if (!set && !repeats) return null
  return options.length === 0 || own !== undefined || chooses(prompt) ? at : null
}

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
