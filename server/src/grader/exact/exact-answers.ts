import { type ChoiceOption, findChoiceOptions } from '../layout/choice-options.ts'
import { wordsOf } from '../text/terms.ts'
import type { Judgement } from './judgement.ts'

const SURE = 0.97
/** Right and wrong can both be read from the answer: half the points at stake. */
const UNSURE = 0.5

const exactJudgement = (share: number, confidence: number, remarks: Judgement['remarks']): Judgement => ({
  raw: share,
  share,
  confidence,
  remarks,
  matched: [],
  missing: [],
})
const right = () => exactJudgement(1, SURE, ['exact_right'])
const wrong = () => exactJudgement(0, SURE, ['exact_wrong'])
const unclear = () => exactJudgement(0, UNSURE, ['unclear'])

const bare = (text: string) => wordsOf(text).join(' ')

/** The letters a choice names: `B`, `B. Venus`, `A and C`, or the words of an option. Null when it names none. */
function chosenLetters(text: string, options: ChoiceOption[]): Set<string> | null {
  const plain = text.trim().replace(/^(?:the\s+)?(?:correct\s+)?(?:answer|option|choice)\s*(?:is)?\s*[:=]?\s*/i, '')
  const valid = new Set(options.map((option) => option.letter))
  const known = (letter: string) => valid.size === 0 || valid.has(letter)
  const marked = [...plain.matchAll(/(?:\[[xX✓✔]\]|[☑☒✓✔●]|->|→)\s*\(?([A-Ha-h])\b/gu)].map((m) =>
    (m[1] ?? '').toUpperCase(),
  )
  if (marked.length > 0 && marked.every(known)) return new Set(marked)
  const list = /^\W*([A-Ha-h](?:\s*(?:[,;&+/]|and|\s)\s*[A-Ha-h])*)\W*$/.exec(plain)
  if (list) {
    const letters = (list[1] ?? '').replace(/and/g, ' ').toUpperCase().match(/[A-H]/g) ?? []
    if (letters.every(known)) return new Set(letters)
  }
  // “B. Venus”, “(b) because it is closest”: a letter set off from what follows.
  const labelled = [...plain.matchAll(/(?:^|\n)\W*([A-Ha-h])\s*(?:[.):\]=-]|\n)/g)].map((m) =>
    (m[1] ?? '').toUpperCase(),
  )
  if (labelled.length > 0 && labelled.every(known)) return new Set(labelled)
  // “B because …”; “A” may be an article, so it needs the reason behind it.
  const reasoned = /^\W*(?:([A-Ha-h])\s+(?:because|since|as|due)\b|([B-H])\s+\p{Ll})/u.exec(plain)
  const letter = (reasoned?.[1] ?? reasoned?.[2] ?? '').toUpperCase()
  if (letter !== '' && known(letter)) return new Set([letter])
  const words = bare(plain)
  const named = options.filter((option) => bare(option.text) !== '' && bare(option.text) === words)
  if (named[0]) return new Set([named[0].letter])
  const within = options.filter((o) => bare(o.text).length > 1 && ` ${words} `.includes(` ${bare(o.text)} `))
  return within.length === 1 && within[0] ? new Set([within[0].letter]) : null
}

export function judgeChoice(prompt: string, accepted: string[], answer: string): Judgement {
  const options = findChoiceOptions(prompt)
  // Boxes to tick beside words have no letters.
  if (accepted.some((key) => bare(key) !== '' && bare(key) === bare(answer))) return right()
  const given = chosenLetters(answer, options)
  if (!given)
    return options.length === 0 && prompt.split('\n').some((line) => bare(line) === bare(answer)) ? wrong() : unclear()
  const keys = accepted.map((key) => chosenLetters(key, options)).filter((letters) => letters !== null)
  if (keys.length === 0) return unclear()
  if (keys.some((key) => key.size === given.size && [...key].every((letter) => given.has(letter)))) return right()
  // Two letters where one was expected is no answer.
  return given.size > 1 && keys.some((key) => [...key].some((letter) => given.has(letter))) ? unclear() : wrong()
}

const YES = /\b(true|t|yes|y|correct)\b/i
const NO = /\b(false|f|no|n|incorrect)\b/i

function truthValueOf(text: string): boolean | null {
  const first = text
    .trim()
    .replace(/^(?:answer|ans)\W+/i, '')
    // Two that undo each other: “not false” is true, “untrue” is not.
    .replace(/\b(?:not|isn['’]?t)\s+(?:at\s+all\s+)?(?:false|incorrect|untrue|wrong)\b/gi, 'true')
    .replace(/\b(?:not|isn['’]?t)\s+(?:at\s+all\s+)?(?:true|correct|right)\b|\buntrue\b/gi, 'false')
  const lead = /^\W*(true|false|yes|no|correct|incorrect|t|f|y|n)\b/i.exec(first)?.[1]
  if (lead) return YES.test(lead)
  const [yes, no] = [YES.test(first), NO.test(first)]
  return yes === no ? null : yes
}

export function judgeTrueFalse(accepted: string[], answer: string): Judgement {
  const given = truthValueOf(answer)
  // “True / False” left standing is no decision.
  if (given === null || (YES.test(answer) && NO.test(answer) && answer.trim().length < 16)) return unclear()
  return accepted.some((key) => truthValueOf(key) === given) ? right() : wrong()
}
