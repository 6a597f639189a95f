import { stemmer } from 'stemmer'

/** Without “not”, “no”, “never”, “none”, “all”, “both”, “each”, “same”, “up” and “down”, which turn an answer round. */
const STOP_WORDS = new Set(
  `a about above after again am an and any are as at be because been before being below between but by can could did do does
  doing during few for from further had has have having he her here hers herself him himself his how i if in into is it
  its itself just me more most my myself now of off on once only or other our ours ourselves out over own s she should so some
  such t than that the their theirs them themselves then there these they this those through to too under until very was we
  were what when where which while who whom why will with would you your yours yourself yourselves`.split(/\s+/),
)

/** Expanded first, so that “don't” equals “do not”. */
const CONTRACTIONS: [RegExp, string][] = [
  [/\bwon'?t\b/g, 'will not'],
  [/\bcan'?t\b|\bcannot\b/g, 'can not'],
  [/\bshan't\b/g, 'shall not'],
  [/n't\b/g, ' not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|should|could)nt\b/g, '$1 not'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'m\b/g, ' am'],
  [/'[sd]\b/g, ''],
]

const WORD = /\p{L}+|\d+(?:[.,]\d+)*|[+=<>*/^%≤≥≠≈×÷√∑∫→]/gu

/** Longer answers are cut, as they would slow the grader; a page has about 500 words. */
const MAX_WORDS = 1500

/** In lower case: letters, numbers and operators. */
export function wordsOf(text: string): string[] {
  let plain = text
    .slice(0, MAX_WORDS * 12)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘`´^](?=[a-z])/g, "'")
  for (const [pattern, opened] of CONTRACTIONS) plain = plain.replace(pattern, opened)
  const words = plain.match(WORD) ?? []
  // A "word" of hundreds of letters is noise, and comparing spellings costs its square.
  return words.slice(0, MAX_WORDS).map((word) => word.slice(0, 40))
}

const stems = new Map<string, string>()

/** Porter's, of the base form; cached, as a class uses the same few thousand words. */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size > 50_000) stems.clear()
  const stem = stemmer(baseFormOf(word))
  stems.set(word, stem)
  return stem
}

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)

/** Stems without stop words; a text of only stop words keeps them, or it could never match. */
export function termsOf(text: string): string[] {
  const words = wordsOf(text)
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return (telling.length > 0 ? telling : words).map(stemOf)
}

const DONT_KNOW =
  /\b(i\s+)?(do\s*n[o']?t|dunno|not)\s+(really\s+)?(know|sure|understand|remember)\b|\b(dunno|idk|no\s+idea|no\s+clue|not\s+sure|n\/a|no\s+answer)\b|^\s*\?+\s*$/i

/** “I don't know”, “no idea”, “n/a” in under 12 words. */
export function isNonAnswer(text: string): boolean {
  const plain = text.slice(0, 400).replace(/[’‘`´^]/g, "'")
  const words = wordsOf(text)
  if (words.length === 0) return true
  return words.length < 12 && (DONT_KNOW.test(plain) || /\bdo not know\b/.test(words.join(' ')))
}

const IRREGULAR = `
  bacterium: bacteria; become: became; begin: began begun; bend: bent; bind: bound; blow: blew blown; break: broke broken; bring: brought;
  build: built; burn: burnt; buy: bought; catch: caught; child: children; choose: chose chosen; come: came; criterion: criteria; deal:
  dealt; dig: dug; draw: drew drawn; drink: drank drunk; drive: drove driven; eat: ate eaten; fall: fell fallen; feed: fed; feel: felt;
  fight: fought; find: found; fly: flew flown; foot: feet; forget: forgot forgotten; freeze: froze frozen; fungus: fungi; get: got gotten;
  give: gave given; go: went gone goes; goose: geese; grow: grew grown; half: halves; hang: hung; hear: heard; hide: hid hidden; hold: held;
  hypothesis: hypotheses; keep: kept; know: knew known; larva: larvae; lay: laid; lead: led; learn: learnt; light: lit; lose: lost; make: made; man:
  men; mean: meant; meet: met; mouse: mice; nucleus: nuclei; pay: paid; phenomenon: phenomena; ride: rode ridden; ring: rang rung; rise:
  rose risen; run: ran; say: said; see: saw seen; seek: sought; sell: sold; send: sent; shake: shook shaken; shine: shone; shoot: shot;
  show: shown; shrink: shrank shrunk; sing: sang sung; sink: sank sunk; sleep: slept; slide: slid; speak: spoke spoken; spend: spent; spin:
  spun; spring: sprang sprung; stand: stood; stick: stuck; strike: struck; sweep: swept; swell: swollen; swim: swam; swing: swung; take:
  took taken; teach: taught; tear: tore torn; tell: told; think: thought; throw: threw thrown; tooth: teeth; understand: understood; vertex:
  vertices; wake: woke woken; wear: wore worn; win: won; wolf: wolves; woman: women; write: wrote written`

/** Listed, as a rule would take “water” for a comparative of “wat”. */
const COMPARATIVES = `
  bad: worse worst; big: bigger biggest; bright: brighter brightest; cheap: cheaper cheapest; close: closer closest; cold: colder coldest; cool: cooler coolest;
  dark: darker darkest; deep: deeper deepest; dense: denser densest; dry: drier driest; easy: easier easiest; fast: faster fastest; full:
  fuller fullest; good: better best; great: greater greatest; hard: harder hardest; heavy: heavier heaviest; high: higher highest; hot:
  hotter hottest; large: larger largest; light: lighter lightest; long: longer longest; loose: looser loosest; loud: louder loudest;
  low: lower lowest; narrow: narrower narrowest; near: nearer nearest; new: newer newest; old: older oldest; poor: poorer poorest; quick: quicker quickest; quiet: quieter quietest; rich: richer
  richest; rough: rougher roughest; safe: safer safest; shallow: shallower shallowest; sharp: sharper sharpest; short: shorter shortest; simple: simpler simplest; slow:
  slower slowest; small: smaller smallest; smooth: smoother smoothest; soft: softer softest; steady: steadier; steep: steeper steepest;
  strong: stronger strongest; tall: taller tallest; thick: thicker thickest; thin: thinner thinnest; tight: tighter tightest; warm: warmer
  warmest; weak: weaker weakest; wet: wetter wettest; wide: wider widest; young: younger youngest`

/** Pupils write them either way. */
const NUMBERS = '0: zero; 1: one; 2: two; 3: three; 4: four; 5: five; 6: six; 7: seven; 8: eight; 9: nine; 10: ten'

const bases = new Map(
  [IRREGULAR, COMPARATIVES, NUMBERS].flatMap((list) =>
    list.split(';').flatMap((entry) => {
      const [base = '', forms = ''] = entry.split(':').map((part) => part.trim())
      return forms.split(/\s+/).map((form): [string, string] => [form, base])
    }),
  ),
)

/** “grown” is “grow”, “teeth” “tooth”, “two” “2”; else the word itself. */
export const baseFormOf = (word: string): string => bases.get(word) ?? word

/** log(1 + questions / questions with the term). A question is given as its prompt, key and the class's answers. */
export function inverseDocumentFrequencies(questions: string[][]): (term: string) => number {
  const seen = new Map<string, number>()
  for (const texts of questions) {
    for (const term of new Set(texts.flatMap(termsOf))) seen.set(term, (seen.get(term) ?? 0) + 1)
  }
  return (term) => Math.log(1 + questions.length / Math.max(0.5, seen.get(term) ?? 0))
}
