import { spellingSimilarity } from '../../text/fuzzy-match.ts'
import { directionOf, isStopWord, stemOf, synonymsOf } from '../../text/terms.ts'
import { bestJudgement, exactJudgement, type Judgement, UNSURE, unclear, verdict } from '../judgement.ts'
import { expandAbbreviations, isInitials } from '../list-members.ts'
import { readStance } from '../notation/judge-by-notation.ts'
import { numeralOf, romanValue } from '../numbers/plain-math.ts'
import { mentionsIn, subscriptsDown, thingNamed } from './named-things.ts'
import known from './names.json' with { type: 'json' }
import { compareNames } from './same-name.ts'

const SURE = 0.92
const NOT_TO_THE_LETTER = 0.89
const MISSPELT = 0.85
const OTHER_NAME = 0.85
const MOST_WORDS = 4
const LONGEST_ANSWER = 14
/** In a word's forms every letter counts. */
export const ASKS_FOR_FORM =
  /\b(?:tense|participle|preterite|plural|singular|conjugat\w+|verb|past|infinitive|comparative|superlative|principal\s+parts|spell\w*)\b/i
const PRONOUN = /^(?:i|you|he|she|it|we|they|ich|du|er|sie|es|wir|ihr|je|tu|il|elle|nous|vous|ils|elles)$/i
const ASKS = /\b(?:what|which|who|whom|whose|where|name|identify|state|give|called|term|word)\b/i
const ASKS_FOR_PERSON =
  /\b(?:who|whom|whose|by\s+whom|(?:name|which|what)\b.{0,40}\b(?:author|scientist|physicist|chemist|mathematician|composer|painter|artist|inventor|president|leader|person|poet|writer|explorer|philosopher|astronomer|economist))\b/i
const OPTIONAL =
  /^(?:the|king|queen|pope|emperor|tsar|sir|dr|mr|mrs|miss|ms|mme|madame|lord|lady|saint|st|professor|prof|president|river|mount|mt|mountains?|rio|río|ocean|sea|lake|city|republic|kingdom|century|centuries|c|cent|ad|ce|war|floor|place|grade|year|period|group|chapter|act|gas|rays?|particles?|cell|cells|process|clause|keyword|command|statement|function|method|operator)$/i
const ARTICLE = /^(?:der|die|das|den|dem|des|el|la|los|las|le|les|il|lo|gli|i|une?|ein\p{Ll}*)$/iu
const FILLER =
  /^(?:its|it|is|was|called|named|name|known|answer|think|believe|because|must|would|capital|symbol|yes|so|maybe|probably)$/i
const EITHER = /\bor\b|\/|\?|\beither\b|\bmaybe\b/i
const IONS = new Map(Object.entries(known.ions))

const plainName = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\b\p{L}+ou?s\b|\b\p{L}+ic\b/giu, (word) => IONS.get(word.toLowerCase()) ?? word)
    // “1-propanol” is “propan-1-ol”, and the 1300s are the 14th century.
    .replace(/(\p{L}{3,})[\s-](\d)[\s-](ol|al|one|ene|yne|ane)\b/gu, '$1$3 $2')
    .replace(/\b(\d)-(\p{L}{4,}(?:ol|al|one|ene|yne|ane))\b/gu, '$2 $1')
    .replace(/\b(\d\d)00s\b/g, (_, hundreds) => `${Number(hundreds) + 1}th century`)
    .replace(/\(\s*([IVX]+)\s*\)/g, (all, roman) => ` ${romanValue(roman) ?? all} `)

const wordsOf = (plain: string): string[] =>
  (plain.match(/\b\p{L}+ty-\p{L}+|\p{L}+(?:['’]\p{L}+)*|\d+(?:st|nd|rd|th|s\b)?/gu) ?? []).filter(
    (word) => !/^(?:the|an?|of|and|de|la|le|von|van|in|to)$/i.test(word),
  )

/** Umlauts as two letters, without the macrons and breves that dictionaries add. */
export const spelling = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => `${'aou'['äöü'.indexOf(letter)]}e`)
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/[\u0304\u0306]/g, '')

const compareWords = (key: string, given: string): 'same' | 'slip' | 'different' => {
  const number = numeralOf(key)
  const other = numeralOf(number === null ? given : given.toUpperCase()) ?? numeralOf(given)
  if (number !== null || other !== null) return number === other ? 'same' : 'different'
  return compareNames(key, given)
}

interface Name {
  text: string
  words: string[]
}

function readName(text: string, prompt: string): Name | null {
  const plain = plainName(text.trim().replace(/\.$/, ''))
  if (plain.length > 60 || /[\p{Sm}*^:;,]|\d{3}/u.test(plain) || /^\W*\d+(?!\d|st|nd|rd|th)/.test(plain)) return null
  if (/\b(?:is|are|was|were|will|has|have|had|do|does|did|can|be|been|must|should|would)\b/i.test(plain)) return null
  const words = wordsOf(plain.replace(/\s\([^()]*\)\s*$/, ''))
  const telling = words.filter((word) => !isStopWord(word.toLowerCase()) || /^\p{Lu}{3,}$/u.test(word))
  const numbered = words.some((word) => numeralOf(word) !== null)
  if (words.length === 0 || words.length > MOST_WORDS || telling.length === 0) return null
  if (!numbered && !ASKS.test(prompt) && !ASKS_FOR_FORM.test(prompt) && !/^\p{Lu}(?:\p{L}?|\p{Lu}{2,})$/u.test(plain))
    return null
  return words.some((word) => directionOf(word.toLowerCase()) !== 0 || /^(?:not|no|yes|true|false)$/i.test(word))
    ? null
    : { text: plain, words }
}

/** Null where the key is no name, or the answer says more than a name. */
export function judgeName(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.flatMap((text) => text.split(/\s+or\s+|\s\/\s/)).map((text) => readName(text, prompt))
  const names = keys.filter((key) => key !== null)
  const said = mentionsIn(subscriptsDown(answer), false).filter(({ thing }) => thing.family === 'substance')
  const signs = accepted.every((text) =>
    text.split(/\s*(?:,|&|\band\b)\s*/).every((part) => thingNamed(part)?.form === 'sign'),
  )
  if (ASKS_FOR_SIGN.test(prompt) && signs && said.length > 0 && said.every(({ thing }) => thing.form === 'name'))
    return verdict(false, 0.75)
  // Where a sentence is accepted too, others may be.
  if (names.length < keys.length) return null
  return bestJudgement(names.flatMap((name) => judgeAgainst(name, prompt, answer) ?? []))
}

function judgeAgainst(key: Name, prompt: string, whole: string): Judgement | null {
  // “gen. pl.”: the key's words, abbreviated.
  const answer = plainName(expandAbbreviations(inKeysName(key.text, prompt, whole), key.words))
  const given = wordsOf(answer)
  if (given.length > LONGEST_ANSWER) return null
  if (isInitials(answer.trim().replace(/^the\s+/i, ''), key.text) || isInitials(key.text, answer.trim()))
    return verdict(true, 0.88)
  const letters = (text: string) => text.replace(/[^\p{L}\d]/gu, '').toLowerCase()
  if (key.text.length > 3 && letters(key.text) === letters(answer)) return verdict(true, SURE)
  if (key.words.length !== given.length && compareNames(key.words.join(''), given.join('')) !== 'different')
    return verdict(true, 0.88)
  const known = new Set((prompt.toLowerCase().match(/\p{L}+/gu) ?? []).map(stemOf))
  const beside = (word: string) =>
    OPTIONAL.test(word) || FILLER.test(word) || isStopWord(word.toLowerCase()) || known.has(stemOf(word.toLowerCase()))
  const needed = needsAll(key, prompt) ? key.words : key.words.slice(-1)
  const telling = needed.filter((word) => !OPTIONAL.test(word) || needed.length === 1)
  const pairs = telling.map(
    (word) =>
      given.find((other) =>
        ASKS_FOR_FORM.test(prompt) ? spelling(word) === spelling(other) : compareWords(word, other) === 'same',
      ) ??
      (ASKS_FOR_FORM.test(prompt)
        ? undefined
        : given.find(
            (other) =>
              compareWords(word, other) === 'slip' ||
              // “H. sapiens”
              (needed.length > 1 && word.length > 2 && isInitial(other, word) && answer.includes(`${other}.`)),
          )),
  )
  const used = new Set(pairs)
  const others = given.filter(
    (word) =>
      !used.has(word) &&
      !beside(word) &&
      !key.words.some((own) => compareWords(own, word) !== 'different' || isInitial(word, own)),
  )
  const matched = pairs.filter((word) => word !== undefined).length
  if (matched < telling.length) {
    const terms = new Set(given.map((word) => stemOf(word.toLowerCase())))
    const missing = telling.filter((_, i) => pairs[i] === undefined)
    const kin = (word: string) =>
      given.some(
        (other) =>
          /^\p{Ll}.{6}/u.test(word) &&
          !/(?:an|en|yn)(?:e|ol|al|one)$/.test(word) &&
          other.slice(0, 6).toLowerCase() === word.slice(0, 6).toLowerCase(),
      )
    if (missing.some(kin)) return ASKS_FOR_FORM.test(prompt) ? verdict(false, OTHER_NAME) : null
    if (missing.some((word) => [...synonymsOf(stemOf(word.toLowerCase()))].some((other) => terms.has(other))))
      return null
    // “Sommes” where the question says “nous”.
    const told = missing.every(
      (word) => PRONOUN.test(word) || new RegExp(String.raw`(?<!\p{L})${word}(?!\p{L})`, 'iu').test(prompt),
    )
    // “Die Buchs” shares only the article with “die Bücher”.
    if (ASKS_FOR_FORM.test(prompt) && pairs.every((word) => word === undefined || ARTICLE.test(word)) && !told)
      return verdict(false, 0.75)
    if (matched > 0 && others.length === 0)
      return exactJudgement(told ? 1 : 0.5, told ? 0.75 : UNSURE, told ? 'exact_right' : 'unclear')
    return others.length > MOST_WORDS ? null : verdict(false, matched > 0 ? 0.75 : OTHER_NAME)
  }
  const slipped = telling.some((word, i) => compareWords(word, pairs[i] ?? '') === 'slip')
  const found = new RegExp([...used].map((word) => word?.replace(/['’]/g, '.')).join(String.raw`[\s\S]{0,12}?`), 'iu')
  const skeleton = answer
    .replace(/#/g, ' ')
    .replace(/\(/g, ', ')
    .replace(found.test(answer) ? found : (pairs[0] ?? ''), '#0#')
    .replace(/\s(?=(?:rather\s+than|instead\s+of|not)\b)/gi, ', ')
  const stance = readStance(skeleton, prompt, () => false)
  if (stance.denied) return verdict(false, 0.92)
  const rest = others.filter((word) => !deniedIn(skeleton, word))
  const lettered = /^\p{L}$/u.test(key.text) && /(?<!\p{L})\p{L}\s*(?:\bor\b|\/)\s*\p{L}(?!\p{L})/u.test(answer)
  if (lettered || (rest.length > 0 && EITHER.test(skeleton))) return verdict(false, 0.8)
  // “Veins and arteries” takes no stand; “Rome, Italy” may.
  if (rest.length > 0 && /^\W*\p{L}+(?:\s\p{L}+)?\s*(?:\band\b|&)\s*\p{L}+(?:\s\p{L}+)?\W*$/u.test(answer))
    return unclear(0.25)
  // “Ian Fleming” is not Alexander, nor “T. S. Eliot” George.
  const before = needed.length < key.words.length ? given[given.indexOf(pairs[0] ?? '') - 1] : undefined
  const first = key.words[0]?.[0]?.toLowerCase()
  if (
    before !== undefined &&
    // “Lew Tolstoi” is a foreign spelling.
    !(slipped && before.length > 1 && before[0]?.toLowerCase() === first) &&
    (before.length === 1 ? before.toLowerCase() !== first : spellingSimilarity(key.words[0] ?? '', before) < 0.7) &&
    (rest.includes(before) || before.length === 1) &&
    /^\p{Lu}/u.test(before) &&
    new RegExp(String.raw`(?<!\p{L})${before}\.?\s+(?:\p{Ll}+\s)*${pairs[0]}`, 'u').test(answer)
  )
    return unclear(0.2)
  // “Martin Luther King” is not Martin Luther.
  const next = given[given.indexOf(pairs.at(-1) ?? '') + 1] ?? ''
  if (
    ASKS_FOR_PERSON.test(prompt) &&
    /^(?!Jr|Sr|Junior|Senior)\p{Lu}\p{Ll}+$/u.test(next) &&
    !key.words.includes(next) &&
    new RegExp(String.raw`${pairs.at(-1)}\s+${next}`, 'u').test(answer)
  )
    return unclear(0.2)
  // Co is not CO.
  if (
    /\b(?:symbol|formula|code|abbreviation)/i.test(prompt) &&
    telling.every((word) => word.length <= 3) &&
    telling.some((word, i) => word !== pairs[i] && word.toLowerCase() === pairs[i]?.toLowerCase())
  )
    return unclear(0.5)
  const short = telling.some((word, i) => pairs[i]?.length === 1 && word.length > 1)
  const added = given.some((word) => !used.has(word) && OPTIONAL.test(word) && !key.words.includes(word))
  const literal = key.words.every((word) => given.some((other) => spelling(word) === spelling(other)))
  const confidence = rest.length > 0 ? 0.75 : slipped || short || added ? MISSPELT : literal ? SURE : NOT_TO_THE_LETTER
  return verdict(true, confidence)
}

const ASKS_FOR_SIGN = /\b(?:symbols?|formulae?|formulas|notation)\b/i
const KIND_OF_THING = /\s*\([^()]*\)\s*$|\s+(?:gas|rays?|particles?|ions?|atoms?|metal|radiation)$/gi

/** “CO₂” as “carbon dioxide” where the key says so, but not where a formula is asked for or the prompt says it. */
function inKeysName(key: string, prompt: string, answer: string): string {
  const parts = key.split(/\s*(?:,|&|\+|\band\b)\s*/).map((part) => part.replace(KIND_OF_THING, ''))
  const things = parts.map(thingNamed)
  if (things.every((thing) => thing === null)) return answer
  const plain = subscriptsDown(answer)
  return mentionsIn(plain, plain.split(/\s+/).length <= 5).reduceRight((text, { thing, from, to }) => {
    const at = things.findIndex((one) => one?.id === thing.id)
    const said = plain.slice(from, to)
    const asked =
      ASKS_FOR_SIGN.test(prompt) && thing.family === 'substance'
        ? thing.form === things[at]?.form
        : !new RegExp(String.raw`(?<![\p{L}\d])${said.replace(/[^\p{L}\d]/gu, '.')}(?![\p{L}\d])`, 'u').test(
            subscriptsDown(prompt),
          )
    return at >= 0 && (asked || said === parts[at]) ? `${text.slice(0, from)}${parts[at]}${text.slice(to)}` : text
  }, plain)
}

const isInitial = (word: string, own: string) =>
  word.length === 1 && numeralOf(own) === null && own.toLowerCase().startsWith(word.toLowerCase())

/** “Shakespeare” is enough for William Shakespeare. */
const needsAll = ({ words, text }: Name, prompt: string): boolean =>
  !(
    ASKS_FOR_PERSON.test(prompt) &&
    words.length > 1 &&
    words.every((word) => numeralOf(word) === null) &&
    /^\p{Lu}\S*(?:\s\S+)*\s\p{Lu}\S+$/u.test(text)
  )

const deniedIn = (skeleton: string, word: string): boolean =>
  skeleton
    .split(/[,;.\n)]|\bbut\b/)
    .some((clause) => /\bnot\b|n['’]t\b|\brather\s+than\b|\binstead\s+of\b/i.test(clause) && clause.includes(word))
