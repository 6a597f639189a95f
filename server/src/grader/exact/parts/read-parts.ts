import { isNegated, isStopWord, stemOf } from '../../text/terms.ts'
import { readQuantity } from '../quantity.ts'
import { readUnit } from '../units/read-unit.ts'
import { wayOf } from '../worded/judge-change.ts'
import { compareNames } from '../worded/same-name.ts'

export interface Part {
  labels: string[]
  value: string
}

export const SEPARATOR = /\s*(?:[,;\n](?![^()]*\))|(?<=\p{L}{4}|\d)\.\s+(?=\p{L})|\band\b|\bwhile\b|\bbut\b)\s*/iu
const PAIR =
  /^(?:the\s+)?(.+?)\s*(?:→|->|=>|:|=|\s[-–—]\s|\bis\b|(?<=\p{L})[–—](?=\p{L})|(?<=^\w)[-–—](?=\w$))\s*(.+)$/su
const COMPACT = /^\(?(?:([A-Za-z])\)?[\s.-]*(\d{1,2})|(\d{1,2})\)?[\s.-]*([A-Za-z]))$/
const NAME_FIRST = /^(?:the\s+)?(\p{L}[\p{L}\s-]*?)\s+(\(?[-+−–£$€]?\s?\d.*)$/u
const NUMBER_FIRST = /^(\d[\d.,]*)\s+(\p{L}{3,})$/u
const CHANGE = /^(?:the\s+)?(\p{L}{3,}(?:\s\p{L}+){0,2}?)\s+(?:goes\s+|is\s+|will\s+|stays\s+)?(\p{L}+)$/u
const MOST_WORDS = 4
/** “When the string is longer, the pitch will be lower” is one part. */
const CONDITION = /^(?:when|whenever|if|as|because|since|after|before|once|unless|although|for)\b/i
const CODE = /^(?:[A-Za-z]|\d{1,2}|[ivx]{2,4})$/
/** “7 R 5” of a division. */
const DIVIDED = /(?<!\d)(\d+)\s*(?:r|rem\.?|remainder)\s*(?:of\s+)?(\d+)/gi

export const isCode = (text: string): boolean => CODE.test(text)
export const divided = (text: string): string => text.replace(DIVIDED, 'quotient $1, remainder $2')

/** 1, -1 or 0 for up, down or no change; undefined for other words. */
export function wayIn(text: string): number | undefined {
  if (isNegated(text)) return undefined
  const ways = (text.toLowerCase().match(/\p{L}+|[↑↓]/gu) ?? []).flatMap((word) => {
    if (/^(?:same|unchanged|constant)$/.test(word)) return [0]
    const way = word === '↑' ? 1 : word === '↓' ? -1 : wayOf(word)
    return way === 0 ? [] : [way]
  })
  return new Set(ways).size === 1 ? ways[0] : undefined
}

function pairOf(text: string): [string, string] | null {
  const [, letter, number, first, second] = COMPACT.exec(text) ?? []
  if (letter ?? first) return [letter ?? first ?? '', number ?? second ?? '']
  const [, name = '', value = ''] = PAIR.exec(text) ?? NAME_FIRST.exec(text) ?? []
  if (name !== '') {
    const short = [name, value].every((side) => side.trim().split(/\s+/).length <= MOST_WORDS)
    return short ? [name, value] : null
  }
  const [, count = '', thing = ''] = NUMBER_FIRST.exec(text) ?? []
  if (thing !== '') return readUnit(thing) ? null : [thing, count]
  const [, changing = '', word = ''] = CHANGE.exec(text) ?? []
  return wayIn(word) !== undefined && wayIn(changing) === undefined ? [changing, word] : null
}

const isName = (text: string): boolean =>
  isCode(text) ||
  (readQuantity(text) === null &&
    (/^(?:in|out)$/i.test(text) || !isStopWord(text.toLowerCase())) &&
    text.toLowerCase() !== 'between')

const TWO = /^\s*([^,;()]+?)\s*(?:[,;–—]\s+(?:so\s+)?(?:it\s+is\s+)?|\(\s*(?:symbol\s+)?)([^,;()]+?)\s*\)?\s*\.?\s*$/
const SIGN = /^(?:[A-ZΩμ][a-z]?|[a-z]{1,2}|[A-Z]{2}|[a-zμ][A-Z])$/
const ASKS_FOR_SIGN = /\bsymbols?\b.*\b(?:name|units?)|\b(?:name|units?)\b.*\bsymbols?\b/i
const ASKS_FOR_BOTH = /\band\b|\b(?:mean|means|say|state|describe|interpret|comment|classif\w+|type|explain)\b/i

/** “Charles Darwin, 1859”, “−0.5 (inelastic)”: unlike each other, so they need no labels. */
function unlikeParts(prompt: string, key: string): Part[] | null {
  const [, first = '', second = ''] = TWO.exec(key) ?? []
  const values = [first, second]
  const kinds = values.map((value) =>
    /\d/.test(value) && !/\bto\b/.test(value) && readQuantity(value)
      ? 'number'
      : SIGN.test(value)
        ? 'sign'
        : /^\p{L}[\p{L}\s.-]{2,40}$/u.test(value)
          ? 'words'
          : '',
  )
  if (!kinds.includes('words') || kinds.every((kind) => kind === 'words' || kind === '')) return null
  if (kinds.includes('sign') && !ASKS_FOR_SIGN.test(prompt)) return null
  const asked = ASKS_FOR_BOTH.test(prompt) ? values : values.filter((_, i) => kinds[i] !== 'words')
  return (kinds.includes('sign') ? values : asked).map((value) => ({ labels: [], value }))
}

/** “(a) Austria (b) Hungary”, “1-C, 2-A”, “price falls, quantity rises”; null for other keys. */
export function readParts(prompt: string, key: string): Part[] | null {
  if (key.length > 200) return null
  const items = itemsIn(prompt)
  const called = (label: string) => [
    label,
    ...items.flatMap((item) => (item.label.toLowerCase() === label.toLowerCase() ? [item.words] : [])),
  ]
  const unlike = unlikeParts(prompt, key)
  if (unlike) return unlike
  const [marked = []] = /^\s*\(?(?:[aA1]|i)[).]\s/.test(key) ? enumerationsIn(key) : []
  if (marked.length > 1 && marked.every(({ words }) => words !== ''))
    return marked.map(({ label, words }) => ({ labels: called(label), value: words }))
  const spaced = /^\s*(?:\(?(?:[A-Za-z]\)?[-.]?\d{1,2}|\d{1,2}\)?[-.]?[A-Za-z])(?:\s+|$)){2,}$/.test(key)
  const texts = divided(key)
    .trim()
    .replace(/[.,;]$/, '')
    .split(spaced ? /\s+/ : SEPARATOR)
  const pairs = texts.map(pairOf).filter((pair) => pair !== null)
  const names = new Set(pairs.map(([name]) => name.toLowerCase()))
  if (texts.some((text) => CONDITION.test(text))) return null
  if (texts.length < 2 || pairs.length < texts.length || names.size < pairs.length) return null
  return pairs.every(([name, value]) => name !== '' && value !== '' && isName(name))
    ? pairs.map(([name, value]) => ({ labels: called(name), value: value.replace(/^\((.*)\)$/, '($1)') }))
    : null
}

export interface Item {
  label: string
  words: string
}

const MARK = /(?<=^|[\s(,;:?])\(?([ivx]{2,4}|[A-Za-z]|\d{1,2})(?:[).:]\s*|\s+)(?=[^\s,;.)=])/gu
const ORDERS = ['a b c d e f g h i j', 'A B C D E F G H I J', '1 2 3 4 5 6 7 8 9 10 11 12', 'i ii iii iv v vi'].map(
  (order) => order.split(' '),
)

/** Items whose labels count on from a, A, 1 or i, at least two, by kind of label. */
export function enumerationsIn(text: string): Item[][] {
  const marks = [...text.matchAll(MARK)]
  const runs = ORDERS.map((order) => {
    const run: RegExpExecArray[] = []
    for (const mark of marks) if (mark[1] === order[run.length]) run.push(mark)
    return run.length > 1 ? run : []
  })
  const starts = runs.flatMap((run) => run.map((mark) => mark.index)).concat(text.length)
  return runs
    .filter((run) => run.length > 0)
    .map((run) =>
      run.map((mark) => {
        const from = mark.index + mark[0].length
        const to = Math.min(...starts.filter((start) => start >= from))
        return { label: mark[1] ?? '', words: text.slice(from, to).replace(/[\s,;(]+$/, '') }
      }),
    )
}

export const itemsIn = (prompt: string): Item[] =>
  enumerationsIn(prompt)
    .flat()
    .map(({ label, words }) => ({
      label,
      words: words.replace(/(?:[;()\n?]|\.(?:\s|$)|\s(?:with|and)\b).*$/s, '').replace(/^(?:the|an?)\s+/i, ''),
    }))
    .filter(({ words }) => words !== '')

const tellingWords = (text: string): string[] =>
  (text.match(/\p{L}+|\d+(?:\.\d+)?/gu) ?? []).filter(
    (word) => /^(?:\d|\p{Lu}$)/u.test(word) || (word.length > 1 && !isStopWord(word.toLowerCase())),
  )

/** The item that shares the most words with a text; null for none or a tie. */
export function itemNamed(text: string, items: readonly Item[]): Item | null {
  const said = tellingWords(text)
  const alike = (own: string, word: string) =>
    stemOf(own.toLowerCase()) === stemOf(word.toLowerCase()) ||
    compareNames(own, word) !== 'different' ||
    (word.length > 3 && own.startsWith(word))
  const shared = (own: string) => said.some((word) => alike(own, word))
  const [best, next] = items
    .map((item) => ({ item, count: tellingWords(item.words).filter(shared).length }))
    .sort((a, b) => b.count - a.count)
  return best && best.count > (next?.count ?? 0) ? best.item : null
}
