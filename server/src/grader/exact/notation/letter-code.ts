import { type Notation, onlyOne, RIGHT, WRONG } from './judge-by-notation.ts'

interface LetterCode {
  kind: 'bases' | 'genotype' | 'colour'
  text: string
}

const JOINED = /(?<=(?<!\p{L})\p{L})[\s–—‑-]{1,3}(?=\p{L}(?!\p{L}))/gu
const KINDS: [LetterCode['kind'], asks: RegExp, written: RegExp][] = [
  [
    'bases',
    /\b(?:DNA|RNA|strand|codons?|anticodons?|nucleotides?|base\s+sequence|complementary)\b/i,
    /[ACGTU]{3,}|[acgtu]{4,}|^\s*[ACGTUacgtu]{3,}\s*$/,
  ],
  ['genotype', /\b(?:genotypes?|alleles?|gametes?|heterozyg\w+|homozyg\w+)\b/i, /(?:([A-Z])\1)+/],
  ['colour', /\b(?:colou?r|hex\w*|css|html)\b/i, /#(?:[\dA-F]{8}|[\dA-F]{6}|[\dA-F]{3})|[\dA-F]{6}/],
]

function codesIn(text: string, kind: LetterCode['kind'], written: RegExp): { skeleton: string; found: LetterCode[] } {
  const found: LetterCode[] = []
  const plain = text
    .replace(/(?<=\b[ACGTU]{3})[\s–-]+(?=[ACGTU]{3}\b)/g, '')
    .replace(/[3'′5’]+[\s-]+(?=[ACGTU])|(?<=[ACGTU])[\s-]+[35]['′’]/g, ' ')
    .replace(JOINED, '')
  const flags = kind === 'bases' ? 'gu' : 'giu'
  const whole = new RegExp(String.raw`(?<![\p{L}\d#])(?:${written.source})(?![\p{L}\d])`, flags)
  const skeleton = plain.replace(whole, (code) => `#${found.push({ kind, text: plainCode(kind, code) }) - 1}#`)
  return { skeleton: /#\d+#/.test(skeleton) ? skeleton : skeleton.replace(/#/g, ' '), found }
}

function plainCode(kind: LetterCode['kind'], code: string): string {
  if (kind === 'bases') return code.trim().toUpperCase()
  if (kind === 'colour') {
    const digits = code.replace('#', '').toUpperCase()
    return digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  }
  // Either allele may come first.
  return (code.match(/../g) ?? [])
    .map((pair) => [...pair].sort().join(''))
    .sort()
    .join('')
}

/** Letter and case count: bases of DNA (`T-A-C-G`), alleles (`Tt`), colours (`#FF0000`). */
export const LETTER_CODE: Notation<LetterCode> = {
  read(key, prompt) {
    for (const [kind, asks, written] of KINDS) {
      const code = asks.test(prompt) ? onlyOne(codesIn(key, kind, written)) : null
      if (code) return code
    }
    return null
  },
  find(answer, key) {
    const [, , written = /$^/] = KINDS.find(([kind]) => kind === key.kind) ?? []
    return codesIn(answer, key.kind, written)
  },
  compare: (key, given) => (key.text === given.text ? RIGHT : WRONG),
}
