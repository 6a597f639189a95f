import { stemOf, wordsOf } from './terms.ts'

const ASKED = [
  /\b(?:differences?|distinguish|distinction|contrast)\s+between\s+(.+?)\s+and\s+(.+?)(?:[.?,;:(]|$)/i,
  /\b(?:distinguish|differentiate|contrast|compare)\s+(.+?)\s+(?:from|with|and|to)\s+(.+?)(?:[.?,;:(]|$)/i,
  /\bhow\s+(?:does|do|is|are)\s+(.+?)\s+differ(?:ent)?\s+from\s+(.+?)(?:[.?,;:(]|$)/i,
]

/** Each side with its everyday words. */
const OPPOSITES: [string, string][] = [
  [
    'new newer newest newly later latest recent recently present current now after afterwards next subsequent',
    'old older oldest earlier past previous previously prior before already knew former existing first',
  ],
  ['high higher more greater large larger big bigger', 'low lower less fewer small smaller little'],
  ['hot hotter warm warmer heat', 'cold colder cool cooler'],
  [
    'in into inside inner internal inwards enters absorb absorbs takes gain gains',
    'out outside outer external outwards leaves release releases gives lose loses',
  ],
  ['fast faster quick quickly rapid', 'slow slower slowly'],
  ['strong stronger', 'weak weaker'],
  ['long longer', 'short shorter'],
  ['with needs requires', 'without'],
  ['one single once', 'two many several both twice multiple'],
]

const SIDES = OPPOSITES.map(([one, other]) => {
  const side = (words: string, name: 'a' | 'b') => words.split(' ').map((word): [string, 'a' | 'b'] => [word, name])
  return new Map([...side(one, 'a'), ...side(other, 'b')])
})

/** Which opposite is said of which of two things, and in which order: “new blocks old”. Null if it cannot be told. */
export function compareContrast(prompt: string, key: string, answer: string): 'same' | 'reversed' | null {
  const pair = contrastedWords(prompt)
  const wanted = pair && partsAbout(pair, key)
  const given = pair && partsAbout(pair, answer)
  if (!wanted || !given) return null
  for (const sides of SIDES) {
    const [first, second] = wanted.map((words) => sidesIn(words, sides))
    const [mine, other] = given.map((words) => sidesIn(words, sides))
    if (!first || !second || first === second || first.length !== second.length) continue
    if (mine === first && other === second) return 'same'
    if (mine === second && other === first) return 'reversed'
  }
  return null
}

/** “retroactive” and “proactive” of two kinds of interference. */
function contrastedWords(prompt: string): [Set<string>, Set<string>] | null {
  const asked = prompt.replace(/\s+/g, ' ')
  const found = ASKED.map((pattern) => pattern.exec(asked)).find((match) => match !== null)
  if (!found) return null
  const [one, other] = [found[1] ?? '', found[2] ?? ''].map((text) => new Set(wordsOf(text).slice(-4).map(stemOf)))
  if (!one || !other) return null
  // “Retroactive and proactive interference” are two kinds of one thing.
  if (one.size < other.size) for (const stem of [...other].slice(one.size)) other.delete(stem)
  const own = [...one].filter((stem) => !other.has(stem) && stem.length > 2)
  const others = [...other].filter((stem) => !one.has(stem) && stem.length > 2)
  return own.length > 0 && others.length > 0 ? [new Set(own), new Set(others)] : null
}

/** From where one is named to where the other is. */
function partsAbout([one, other]: [Set<string>, Set<string>], text: string): [string[], string[]] | null {
  const parts: [string[], string[]] = [[], []]
  let about: 0 | 1 | null = null
  for (const word of wordsOf(text)) {
    const stem = stemOf(word)
    if (one.has(stem)) about = 0
    else if (other.has(stem)) about = 1
    else if (about !== null) parts[about].push(word)
  }
  return parts[0].length > 0 && parts[1].length > 0 ? parts : null
}

/** “ab” where a word of the first side comes before one of the second; each side once. */
function sidesIn(words: readonly string[], sides: ReadonlyMap<string, 'a' | 'b'>): string {
  const seen = words.flatMap((word) => sides.get(word) ?? [])
  return [...new Set(seen)].join('')
}
