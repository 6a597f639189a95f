import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import wordListPath from 'word-list'

let all: string | undefined
/** Students write any number of words. */
const known = new LRUCache<string, boolean>({ max: 20_000 })

/** Looked for in the text: a set of them would take twenty megabytes in each worker. */
function isWord(word: string): boolean {
  all ??= `\n${readFileSync(wordListPath, 'latin1')}\n`
  const found = known.get(word) ?? all.includes(`\n${word}\n`)
  known.set(word, found)
  return found
}

const ENDING =
  /^[bdpsv]?(?:s|al|ance|ar|ary|ate|e|ed|ee|en|ent|er|es|ful|i|ian|ic|in|ing|ion|ism|ist|ity|ive|ment|or|ous|t|us|ut|y)*$/

/** “Nucleolus” is no slip for “nucleus”, as “nuclius” is, nor a form of it, as “nuclear” is. */
export function areOtherWords(one: string, other: string): boolean {
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared += 1
  const isForm =
    one.startsWith(other) ||
    other.startsWith(one) ||
    (shared >= 4 && ENDING.test(one.slice(shared)) && ENDING.test(other.slice(shared)))
  return !isForm && isWord(one) && isWord(other)
}
