export interface ChoiceOption {
  letter: string
  text: string
  /** The paper prints a box or a bubble, and the letter is its place. */
  unlettered?: true
}

/** For a character class with the flag `u`; fonts have them at places of their own. */
export const TICK_SIGNS = '☐□◻▢❏❐❑❒○◯⚪⭘❍◦\\u{20DD}\\u{F06F}\\u{F071}\\u{F072}\\u{F0A1}\\u{F0A3}\\u{F0A8}'
export const TICKED_SIGNS = '☑☒⊠⊗●◉⦿■◼⬤⚫\\u{F052}\\u{F054}\\u{F06C}\\u{F06E}\\u{F0FD}\\u{F0FE}'
const LABEL = /(?:^|(?<=\s))(?:[[(]\s?[\sxX✓✔☐☑☒]?\s?[\])]\s*|[☐☑☒○●◯◻□]\s*)?\(?([A-Ha-h])[.):]\s*(?=\S)/gu

/** “A. Mars”, “b) Venus”, “(C) Earth”, on lines or in one. Empty unless they go A, B, C, … */
export function findChoiceOptions(prompt: string): ChoiceOption[] {
  const found: { letter: string; at: number; from: number }[] = []
  let from = 0
  for (const line of prompt.split('\n')) {
    for (const match of line.matchAll(LABEL)) {
      const letter = (match[1] ?? '').toUpperCase()
      if (letter.charCodeAt(0) - 65 !== found.length) continue
      found.push({ letter, at: from + match.index, from: from + match.index + match[0].length })
    }
    from += line.length + 1
  }
  if (found.length < 2) return bareOptions(prompt)
  return found.map(({ letter, from }, i) => ({
    letter,
    text: prompt
      .slice(from, found[i + 1]?.at ?? prompt.length)
      .split('\n')
      .slice(0, i === found.length - 1 ? 1 : undefined)
      .join(' ')
      .trim(),
  }))
}

const IN_LINE = /(?<=[\s(,;:?])([A-H]):?\s+([^,;\n?]{1,40}?)(?=\s*[,;\n?]|\s+[B-H]:?\s|\.?\s*$)/g

const CHOOSES =
  /\b(?:which|circle|tick|choose|pick|select|underline|cross|best answer|correct (?:answer|option|letter|statement))\b/i

export const chooses = (prompt: string): boolean => CHOOSES.test(prompt)

const MARKS = /\b(?:circle|ring|tick|underline|cross(?:\s+out)?|choose|select|pick|delete|strike)\b/i
/** More words in a row are a text. */
const MOST_IN_ROW = 8

export const bareText = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const BOXES = new RegExp(String.raw`\s*[${TICK_SIGNS}☑☒]\s*`, 'gu')

/** “rises / falls”, “iron  copper  gold”. */
export function offersInRow(prompt: string, words: string): boolean {
  if (!MARKS.test(prompt) || bareText(words) === '') return false
  const own = bareText(words)
  return prompt.split('\n').some((line, i) => {
    const slashes = line.split(/\s*[/|]\s*/)
    const inline = line.match(/[\p{L}\p{N}'’-]+(?:\s*[/|]\s*[\p{L}\p{N}'’-]+)+/gu) ?? []
    const boxes = line.split(BOXES).filter((part) => part.trim() !== '')
    if ((line.match(BOXES) ?? []).length >= 2 && isAmong(boxes, own)) return true
    if ([slashes, ...inline.map((group) => group.split(/\s*[/|]\s*/))].some((row) => isAmong(row, own))) return true
    const row = line.trim().split(/\s+/)
    return i > 0 && row.length <= MOST_IN_ROW && !/[.?!:,;]/.test(line) && isAmong(row, own)
  })
}

const isAmong = (row: readonly string[], own: string) => row.length >= 2 && row.some((one) => bareText(one) === own)

const SIGNS = [`[${TICK_SIGNS}]`, String.raw`\(\s*\)`, String.raw`\[\s*\]`].map((sign) => ({
  leads: new RegExp(String.raw`^\s*${sign}\s*\S`, 'u'),
  sign: new RegExp(sign, 'u'),
}))

/** “○ rise”, “☐ fall”, on lines or side by side, named by their order. */
function tickableOptions(prompt: string): ChoiceOption[] {
  const texts = prompt
    .split('\n')
    .flatMap((line) => line.split(SIGNS.find(({ leads }) => leads.test(line))?.sign ?? line))
    .filter((text) => text.trim() !== '')
  const truth = texts.every((text) => /^\W*(?:true|false|yes|no|t|f)\W*$/i.test(text))
  return texts.length < 2 || truth
    ? []
    : texts.map((text, i) => ({ letter: String.fromCharCode(65 + i), text: text.trim(), unlettered: true }))
}

function optionsInLine(prompt: string): ChoiceOption[] {
  const options: ChoiceOption[] = []
  const [, list = ''] = /[:?]\s*(A:?\s[^\n]*)$/.exec(prompt) ?? []
  for (const [, letter = '', text = ''] of ` ${list}`.matchAll(IN_LINE))
    if (letter.charCodeAt(0) - 65 === options.length) options.push({ letter, text: text.trim() })
  return options.every(({ text }) => /\p{L}/u.test(text)) ? options : []
}

/** “a sodium chloride”: at least three lines that follow the alphabet. */
function bareOptions(prompt: string): ChoiceOption[] {
  const options: ChoiceOption[] = []
  for (const line of prompt.split('\n')) {
    const [, letter = '', text = ''] = /^\W*([A-Ha-h])\s+(\S.*)$/.exec(line) ?? []
    if (letter.toUpperCase().charCodeAt(0) - 65 === options.length && letter !== '')
      options.push({ letter: letter.toUpperCase(), text: text.trim() })
  }
  const inLine = options.length < 2 ? optionsInLine(prompt) : []
  if (inLine.length > 2) return inLine
  const short = options.every(({ text }) => text.split(/\s+/).length <= 6)
  return options.length >= 3 && (short || CHOOSES.test(prompt)) ? options : tickableOptions(prompt)
}
