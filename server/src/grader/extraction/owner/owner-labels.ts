/** `other` does not help to identify the owner. */
export type OwnerLabel = 'name' | 'family_name' | 'given_name' | 'number' | 'email' | 'other'

const WHO = "(?:student|full|candidate|examinee|pupil|learner|your|print|printed)(?:'s|’s)?"
const NUMBER = '(?:id|no|nr|num|number|code|#)(?![\\p{L}\\p{N}])\\.?'

/** Longest first. */
const PATTERNS: readonly (readonly [OwnerLabel, string])[] = [
  ['name', '(?:sur|last\\s*|family\\s*)names?\\s*(?:and|&|,|/|\\+)\\s*(?:first|fore|given|other)\\s*-?names?'],
  ['name', '(?:first|given|fore)\\s*-?names?\\s*(?:and|&|,|/|\\+)\\s*(?:sur|last\\s*|family\\s*)names?'],
  [
    'number',
    `(?:student|candidate|examinee|pupil|matriculation|matric|registration|enrol?ment|reg|roll|index|exam(?:ination)?|seat|school|university)\\.?\\s*-?${NUMBER}`,
  ],
  ['number', 'matr(?:ikel)?\\.?\\s*-?\\s*(?:nummer|nr)\\.?|id\\s*(?:no|nr|number|#)\\.?|s?id'],
  ['email', '(?:student\\s*)?e-?mail(?:\\s*address)?|user\\s*-?(?:name|id)|login|net\\s*-?id'],
  ['family_name', 'sur\\s*-?names?|last\\s*names?|family\\s*names?|nachname|apellidos?|cognome|achternaam'],
  ['given_name', 'first\\s*names?|given\\s*names?|fore\\s*-?names?|other\\s*names?|vornamen?|prénoms?|voornaam'],
  ['name', `(?:${WHO}\\s+)*names?|nom|nombre|naam|imię i nazwisko|written\\s+by|submitted\\s+by`],
  ['other', 'date(?:\\s+of\\s+birth)?|class|form|set|group|period|section|course|teacher|instructor|tutor|examiner'],
  [
    'other',
    'score|grade|marks?|total|subject|school|room|signature|signed|cent(?:re|er)(?:\\s*(?:no|number)\\.?)?|term|block',
  ],
  // These alone are words of any sentence.
  ['name', 'student|candidate|pupil|by|author'],
]
const LABEL = new RegExp(
  PATTERNS.map(([, source]) => `(?<![\\p{L}\\p{N}])(${source})(?![\\p{L}\\p{N}])(?:\\s*\\([^)]*\\))?`).join('|'),
  'giu',
)
const FIRST_OF_SENTENCE_WORDS = PATTERNS.length - 1

export interface LabelledText {
  label: OwnerLabel | null
  text: string
  /** The label's start, or the text's. */
  at: number
}

/** Without a colon or rule behind it a label must begin the line, or be printed here on the blank (`isPrinted`). */
export function splitAtLabels(line: string, isPrinted: (word: string) => boolean): LabelledText[] {
  const labels: { label: OwnerLabel; from: number; to: number }[] = []
  for (const match of line.matchAll(LABEL)) {
    const place = match.slice(1).findIndex((group) => group !== undefined)
    const label = PATTERNS[place]?.[0]
    if (!label) continue
    const to = match.index + match[0].length
    const marked = /^\s*(?:[:#]|_{2}|\.{3}|…)/.test(line.slice(to))
    const begins = /^\W*$/u.test(line.slice(0, match.index))
    // A capital may be misread; two printed words are no words of a sentence by chance.
    const printed = /^\p{Lu}|\s/u.test(match[0]) && match[0].split(/\s+/).every(isPrinted)
    const alone = begins && label !== 'other' && /^\W*(?:$|\p{Lu})/u.test(line.slice(to))
    if (marked || (place < FIRST_OF_SENTENCE_WORDS && (printed || alone))) labels.push({ label, from: match.index, to })
  }
  const parts: LabelledText[] = []
  const start = labels[0]?.from ?? line.length
  parts.push({ label: null, text: line.slice(0, start), at: 0 })
  for (const [i, { label, from, to }] of labels.entries())
    parts.push({ label, text: line.slice(to, labels[i + 1]?.from ?? line.length), at: from })
  return parts
}
