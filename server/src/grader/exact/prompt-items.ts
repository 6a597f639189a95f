import { isStopWord, stemOf } from '../text/terms.ts'
import { compareNames } from './worded/same-name.ts'

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
