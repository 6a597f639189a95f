import { type ChoiceOption, chooses, findChoiceOptions, offersInRow } from '@assay/shared/rules/choice-options.ts'
import { spellingSimilarity } from '../../text/fuzzy-match.ts'
import { wordsOf } from '../../text/terms.ts'
import { readInVersionLetters } from '../../text/version-letters.ts'
import { type Judgement, unclear, verdict } from '../judgement.ts'
import { numeralOf } from '../numbers/plain-math.ts'
import { enumerationsIn, itemNamed } from '../parts/read-parts.ts'
import { wayOf } from '../worded/judge-change.ts'
import { thingNamed } from '../worded/named-things.ts'

const SURE = 0.97
const IN_A_SENTENCE = 0.88

const bare = (text: string) => wordsOf(text).join(' ')

const netDirection = (words: string): number => Math.sign(words.split(' ').reduce((sum, word) => sum + wayOf(word), 0))

interface Chosen {
  taken: Set<string>
  denied: Set<string>
  clear: boolean
  /** Nothing but letters, options and words such as “the answer is”. */
  plain: boolean
}

const LEAD =
  /^\W*(?:(?:i\s+(?:think|choose|chose|pick|believe|say|guess|would\s+(?:say|choose))|it(?:'?s|\s+is|\s+must\s+be)?|that(?:'s|\s+is)|this\s+is|the|my|correct|final|right|best|answers?|ans|options?|choices?|letters?|number|is|are|be|both|and|so|therefore|that|would)\b\W*)*/i
const ORDINAL = /\b(?:first|second|third|fourth|fifth|last)\b/i
const PLAIN_WORDS =
  /\b(?:i|think|choose|chose|pick|believe|say|it|its|it's|is|that|that's|this|the|my|correct|final|right|best|answers?|ans|options?|choices?|letters?|are|be|both|and|so|therefore|not|no|would|must|definitely|because|as|since)\b/gi
const REASON =
  /(?<=\S\s*)(?:\b(?:because|since|due\s+to|for\s+the\s+reason)\b|\s+as\s+(?=(?:it|they|the|he|she|this)\b)|,\s+as\b|\bcos\b|\bas\s+it\b).*$/is
const DENIED =
  /(?:\bnot\b|\bnever\b|\bisn't\b|\baren't\b|\brather\s+than\b|\binstead\s+of\b|\bdefinitely\s+not\b|≠|\bexcept\b|\bcan't\b|\bno\s+(?=[A-H]\b))/i
const REFUTED = /\b(?:no|is\s+wrong|is\s+incorrect|is\s+false|wrong|incorrect|crossed\s+out)\s*$/i
const MARKED = /(?:\[[xX✓✔]\]|[☑☒✓✔●]|->|→)\s*\(?([A-Ha-h])\b/gu

/** “C not B”, “A no, B” */
const piecesOf = (text: string): string[] =>
  text
    .replace(/[“”"'‘’](?=\W|$)|(?<=^|\W)[“”"'‘’]/gu, ' ')
    .split(
      /\n+|[;,]|\.(?=\s|$)|\bbut\b|\(|\)(?=\s*\(|$)|\s(?=(?:not|isn't|rather\s+than|instead\s+of)\b)|\bso\b|\b(?:and|or|either|neither|nor)\b|\s*[/&+]\s*/i,
    )
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))

function lettersIn(piece: string, options: ChoiceOption[]): { letters: string[]; rest: string } | null {
  const valid = new Set(options.map((option) => option.letter))
  const known = (letter: string) => valid.size === 0 || valid.has(letter)
  const text = piece.replace(DENIED, ' ').replace(LEAD, '').trim()
  const labelled = /^\W*([A-Ha-h])(?:\s*[.):\]=-]+\s*|\s*[!?]*$|\s+[-–=]\s*)(.*)$/su.exec(text)
  if (labelled && known((labelled[1] ?? '').toUpperCase()))
    return { letters: [(labelled[1] ?? '').toUpperCase()], rest: labelled[2] ?? '' }
  const place =
    /^(?:first|second|third|fourth|fifth|last)\b(?=\W*(?:one|of\s+(?:them|these|the\s+\p{L}+))?\W*$)/iu.exec(text)?.[0]
  const named = options.some((option) => ORDINAL.test(option.text))
  const placed = named
    ? undefined
    : options.at(place === 'last' ? -1 : (numeralOf(place ?? '') ?? Number.POSITIVE_INFINITY) - 1)
  if (placed) return { letters: [placed.letter], rest: '' }
  const run = /^\W*([A-H](?:\s*[A-H])*|[a-h](?:\s+[a-h])*)\W*$/.exec(text)
  if (run) {
    const letters = (run[1] ?? '').toUpperCase().match(/[A-H]/g) ?? []
    if (letters.every(known) && new Set(letters).size === letters.length) return { letters, rest: '' }
  }
  // “B is closest”; but “A planet” begins with an article.
  const leading =
    /^([B-H])\s+(\p{L}.*|\d.*)$/su.exec(text) ?? /^(A)\s+((?:is|it|because|no|was|has)\b.*|\d.*)$/su.exec(text)
  if (leading && known(leading[1] ?? '')) return { letters: [leading[1] ?? ''], rest: leading[2] ?? '' }
  return null
}

function optionsIn(piece: string, options: ChoiceOption[]): ChoiceOption[] {
  const words = bare(piece.replace(LEAD, '').replace(DENIED, ' '))
  if (words === '') return []
  const whole = options.filter((option) => bare(option.text) !== '' && bare(option.text) === words)
  if (whole.length > 0) return whole
  const within = options.filter(
    (option) => bare(option.text).length > 1 && ` ${words} `.includes(` ${bare(option.text)} `),
  )
  const longest = within.filter(
    (one) => !within.some((other) => other !== one && bare(other.text).includes(bare(one.text))),
  )
  if (longest.length > 0) return longest
  const partly = options.filter((option) => words.length > 3 && ` ${bare(option.text)} `.includes(` ${words} `))
  if (partly.length === 1) return partly
  const thing = thingNamed(piece.replace(LEAD, ''))
  const named = options.filter((option) => thing !== null && thingNamed(option.text)?.id === thing.id)
  if (named.length > 0) return named
  const way = netDirection(words)
  const alike = way === 0 ? [] : options.filter((option) => netDirection(bare(option.text)) === way)
  if (alike.length === 1 && words.split(' ').length <= 4) return alike
  const slips = options
    .map((option) => ({
      option,
      likeness: /\d/.test(words) ? 0 : spellingSimilarity(bare(option.text).replace(/ /g, ''), words.replace(/ /g, '')),
    }))
    .filter(({ likeness }) => likeness >= 0.8)
    .sort((a, b) => b.likeness - a.likeness)
  return slips[0] && (slips[1]?.likeness ?? 0) < slips[0].likeness ? [slips[0].option] : []
}

/** The letters of `B. Venus`, `A and C`, “not A, B”, or of an option's words. */
export function readChoice(answer: string, options: ChoiceOption[]): Chosen {
  const chosen: Chosen = { taken: new Set(), denied: new Set(), clear: true, plain: true }
  const marked = [...answer.matchAll(MARKED)].map((match) => (match[1] ?? '').toUpperCase())
  if (marked.length > 0) return { ...chosen, taken: new Set(marked) }
  const told = answer.slice(0, 600).replace(REASON, '')
  // In “3/6 = 1/2” the answer comes before its reason.
  const first = told.split(/\s=\s/)[0] ?? ''
  const cut = options.some(({ text }) => bare(text) !== '' && bare(text) === bare(first)) ? first : told
  // An option's own commas and “and” separate nothing.
  const separable = options.filter((option) => /[,;.&/]|\band\b|\bor\b|\bnot\b/i.test(option.text))
  const whole = optionsIn(cut, separable)
  const pieces =
    whole.length === 1 && bare(whole[0]?.text ?? '') === bare(cut.replace(LEAD, '')) ? [cut] : piecesOf(cut)
  for (const piece of pieces) {
    const letters = lettersIn(piece, options)
    const named = optionsIn(letters ? letters.rest : piece, options)
    const denies = DENIED.test(piece) || REFUTED.test(piece)
    const all = [...(letters?.letters ?? []), ...named.map((option) => option.letter)]
    // “B) Venus” where Venus is A.
    if (letters && named.length > 0 && !named.some((option) => letters.letters.includes(option.letter)))
      chosen.clear = false
    for (const letter of all) (denies ? chosen.denied : chosen.taken).add(letter)
    if (!letters && named.length === 0) chosen.plain &&= !/\p{L}{2}/u.test(bare(piece).replace(PLAIN_WORDS, ''))
    else if (named.length > 0 && bare(named[0]?.text ?? '') !== bare((letters?.rest ?? piece).replace(LEAD, '')))
      chosen.plain = false
  }
  for (const letter of chosen.denied) if (chosen.taken.has(letter)) chosen.clear = false
  return chosen
}

function unlettered(options: readonly ChoiceOption[], words: string): ChoiceOption | null {
  const plain = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim()
  const same = options.filter((option) => option.unlettered && plain(option.text) === plain(words))
  return same.length === 1 ? (same[0] ?? null) : null
}

/** What fills the blank, where the answer repeats the sentence around it. */
function filledIn(prompt: string, answer: string): string {
  const [, before, after] = /(\p{L}+)\s+_{2,}\s+([\p{L}\d]+)/u.exec(prompt) ?? []
  const filled = before && new RegExp(String.raw`\b${before}\s+(.+?)\s+${after}\b`, 'iu').exec(answer)?.[1]
  return filled || answer
}

export function judgeChoice(
  prompt: string,
  accepted: string[],
  whole: string,
  options: ChoiceOption[] = findChoiceOptions(prompt),
): Judgement {
  const answer = filledIn(prompt, whole)
  // Options such as “-1” and “1” are told apart by their signs alone.
  const ticked = unlettered(options, answer)
  const right = accepted.flatMap((key) => unlettered(options, key) ?? [])
  if (ticked && right.length > 0) return verdict(right.includes(ticked), SURE)
  if (accepted.some((key) => bare(key) !== '' && bare(key) === bare(answer))) return verdict(true, SURE)
  if (/\?/.test(answer)) return unclear()
  // The key's letters are those of version A.
  if (readInVersionLetters(answer)) return verdict(false, SURE)
  const keys = accepted.map((key) => readChoice(key, options).taken).filter((letters) => letters.size > 0)
  const { taken, denied, clear, plain } = readChoice(answer, options)
  if (taken.size === 0 && denied.size === 0) {
    const other =
      options.length === 0
        ? prompt.split('\n').some((line) => bare(line) === bare(answer)) || offersInRow(prompt, answer)
        : /^\W*[A-Z]\W*$/i.test(answer)
    return other ? verdict(false, 0.92) : unclear()
  }
  if (keys.length === 0 || !clear) return unclear()
  if (taken.size === 0) {
    const deniesKey = keys.every((key) => [...key].some((letter) => denied.has(letter)))
    return deniesKey ? verdict(false, 0.93) : unclear()
  }
  if (keys.some((key) => key.size === taken.size && [...key].every((letter) => taken.has(letter))))
    return verdict(true, plain ? SURE : IN_A_SENTENCE)
  const hits = Math.max(...keys.map((key) => [...taken].filter((letter) => key.has(letter)).length))
  const size = Math.max(...keys.map((key) => key.size))
  if (size > 1 && hits > 0) return unclear(Math.max(0, 2 * hits - taken.size) / size)
  const shares = keys.some((key) => [...key].some((letter) => taken.has(letter)))
  // Two letters where one was expected, or one of two, are not surely wrong.
  return shares ? unclear() : verdict(false, plain ? SURE : IN_A_SENTENCE)
}

const LABELS = /^(?:\W*(?:[A-Za-z]|\d)\b(?:\s*(?:and|or)\b)?)+\W*$/

/** Options printed in the question: “1 nucleus 2 ribosome”; null where the key is none of them. */
export function judgeListedChoice(prompt: string, accepted: string[], answer: string): Judgement | null {
  if (!(chooses(prompt) || /\bgive\s+(?:the|all(?:\s+the)?)\s+(?:numbers?|letters?)\b/i.test(prompt))) return null
  const lists = enumerationsIn(prompt).map((items) => items.filter(({ words }) => words !== ''))
  for (const items of lists) {
    const letterOf = (label: string) => {
      const at = items.findIndex((item) => item.label.toLowerCase() === label.toLowerCase())
      return at < 0 ? label : String.fromCharCode(65 + at)
    }
    const lettered = (text: string) =>
      LABELS.test(text)
        ? text.replace(/[A-Za-z]\b(?<!\p{L}{2})|\d/gu, letterOf)
        : text.replace(
            /^\W*(?:(?:the|it|is|answer|option|number|statement|no\.?)\s+)*\(?(\d)(?![\d.,]*\d)[.):]?/i,
            (_, label) => `${letterOf(label)} `,
          )
    const options = items.map(({ label, words }) => ({
      letter: letterOf(label),
      text: words.replace(/[.?;]\s.*$|[.;]$/s, ''),
    }))
    const among = (key: string) =>
      (LABELS.test(key) &&
        (key.match(/[A-Za-z]\b(?<!\p{L}{2})|\d/gu) ?? []).every((one) =>
          items.some(({ label }) => label.toLowerCase() === one.toLowerCase()),
        )) ||
      options.some(({ text }) => bare(text) === bare(key.replace(/^\W*\w[.):]\s/, '')))
    if (options.length < 2 || !accepted.every(among)) continue
    const judged = judgeChoice(prompt, accepted.map(lettered), lettered(answer), options)
    if (!judged.remarks.includes('unclear') || judged.share > 0) return judged
    const named = itemNamed(answer, items)
    const own = /^\W*(\w)\W/.exec(answer)?.[1]
    // “2) loud” where 2 is another word.
    if (!named || items.some(({ label }) => label === own)) return named && judged
    const right = accepted.some((key) => lettered(key).trim().startsWith(letterOf(named.label)))
    return right && !/\b(?:or|not)\b/.test(answer) ? verdict(true, 0.8) : null
  }
  return null
}
