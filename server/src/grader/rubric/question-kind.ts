import type { QuestionKind } from '@assay/shared/rubrics.ts'
import { bareText as bare, chooses, findChoiceOptions, offersInRow } from '@assay/shared/rules/choice-options.ts'
import { asksForSubject } from '../exact/formula-form.ts'
import { isFormulaKey } from '../exact/judge-formula.ts'
import { keyResults } from '../exact/key-results.ts'
import { listKeyKind, ORDERED } from '../exact/list-key.ts'
import { readQuantity } from '../exact/quantity.ts'

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
  if (
    chooses(prompt) &&
    prompt
      .split('\n')
      .slice(1)
      .some((line) => bare(line) === bare(key))
  )
    return 'choice'
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
