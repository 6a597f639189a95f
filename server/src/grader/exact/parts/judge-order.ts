import { wordsOf } from '../../text/terms.ts'
import { bestJudgement, type Judgement, listJudgement, unclear, verdict } from '../judgement.ts'
import { expandAbbreviations, expandInitials, membersOf, membersWithin, sameMember } from '../list-members.ts'
import { judgeNumber } from '../numbers/judge-number.ts'
import { digitsForWords, plainMath } from '../numbers/plain-math.ts'
import { readQuantity } from '../quantity.ts'
import { ASKS_FOR_FORM, judgeName } from '../worded/judge-name.ts'
import { thingNamed } from '../worded/named-things.ts'
import { itemNamed, itemsIn } from './read-parts.ts'

type Kind = 'numbers' | 'letters' | 'names'

const SURE = 0.95
const OTHER_WORDS = 0.88
const SURE_OF_PART = 0.8
/** A value may follow from a wrong one before it, for which some teachers give the point. */
const SURE_OF_WHOLE = 0.7
const LONGEST = 2000
const MOST_WORDS = 3
const ARROW = /→|⟶|➔|=>|->|\s>\s|\s<\s|\bthen\b/g
const ANY_ORDER =
  /\b(?:which|factors?|multiples?|select|tick|circle|all\s+that|primes?|name|identify|choose|roots?|solutions?)\b/i
const IN_ORDER =
  /\b(?:orders?|sequence|trace|table|outputs?|prints?|display\w*|pass|sort\w*|arrang\w+|shells?|electrons?|configur\w+|travers\w+|visit\w*|stages?|steps?|rows?|columns?|terms?|fill|blanks?|gaps?|list|array|stack|queue|rank|most|least)\b/i
/** Each value counts in its place. */
const EACH = /\b(?:in\s+th(?:is|at)\s+order|respectively)\b/i
const TERMS = /\bterms?\b|\bnext\s+\w+\s+numbers?\b/i
const PUTS_IN_ORDER = /\b(?:arrange|put|rank|sort|insert)\b/i
const WHOLE = /\b(?:traversals?|prints?|outputs?|pass|queue|stack)\b/i
const ASCENDING = /\b(?:smallest|lowest|least|lightest|slowest|weakest|shortest|ascending|increasing)\b/i
/** Where something is compared, “>” is a sign; elsewhere an arrow. */
const COMPARES =
  /\b(?:smallest|largest|lowest|highest|least|greatest|most|biggest|lightest|heaviest|slowest|fastest|weakest|strongest|shortest|longest|ascending|descending|increasing|decreasing|rank)/i

function kindOf(members: readonly string[]): Kind {
  if (members.every((member) => readQuantity(member) !== null)) return 'numbers'
  return members.every((member) => /^[A-Za-z]$/.test(member)) ? 'letters' : 'names'
}

function sequenceOf(key: string): string[] | null {
  if (key.length > 160 || /[()[\]{}±]/.test(key) || /\S[ \t]+\S[^\n]*\n/.test(key)) return null
  const spaced = /^[-−\d.\s]+$|^[A-Za-z](?:[\s–-]+[A-Za-z])+$/.test(key.trim())
  const members = spaced ? key.trim().split(/\s+(?:[–-]\s+)?|(?<=\w)[–-](?=\w)/) : membersOf(key)
  const kind = kindOf(members)
  if (members.length < (kind === 'numbers' && !spaced && /[,;|→\n]|->/.test(key) ? 2 : 3)) return null
  const arrows = key.match(ARROW)?.length ?? 0
  const chain =
    arrows === members.length - 1 && !/[=+]/.test(key) && members.every((one) => one.split(/\s+/).length <= MOST_WORDS)
  return kind !== 'names' || chain || members.every((member) => thingNamed(member) !== null) ? members : null
}

/** `ordered`: the question asks for an order. `points`: a single one is for all values. */
export function judgeOrder(
  prompt: string,
  accepted: string[],
  answer: string,
  ordered = true,
  points = 1,
): Judgement | null {
  const judged = accepted.flatMap((key) => {
    const members = sequenceOf(key) ?? (ordered ? membersOf(key) : null)
    return members ? [judgeAgainst(key, members, prompt, answer, ordered, points)] : []
  })
  return bestJudgement(judged)
}

function judgeAgainst(
  text: string,
  members: string[],
  prompt: string,
  answer: string,
  ordered: boolean,
  points: number,
): Judgement {
  const kind = kindOf(members)
  const compared = /[<>]/.test(answer.replace(/->|=>/g, ''))
  // Where the answer has no sign, the key's “>” says which comes first.
  const key = directed(text, members, !compared)
  const given = directed(
    answer,
    answeredMembers(key, kind, prompt, answer.slice(0, LONGEST)),
    !/[<>]/.test(text) && !COMPARES.test(prompt),
  )
  if (given.length === 0) return verdict(false, SURE_OF_WHOLE)
  if (kind !== 'names' && /\bor\b|\bnot\b|n['’]t\b/i.test(answer)) return unclear(0.5)
  const same = comparison(kind, prompt, key)
  const [row, size] = [key.map((member) => given.map((one) => same(member, one))), Math.max(key.length, given.length)]
  const placed = key.filter((_, i) => row[i]?.[i]).length
  if (placed === size) {
    const exact = key.every((member, i) => plain(member) === plain(given[i] ?? '') || kind === 'numbers')
    return verdict(true, exact ? SURE : OTHER_WORDS)
  }
  if (kind === 'numbers' && given.map(plain).join('') === key.map(plain).join('')) return unclear(0.25)
  const complete = given.length === key.length && row.every((its) => its.some((is) => is))
  if (!ordered && complete && !IN_ORDER.test(prompt) && !ARROW.test(text))
    return ANY_ORDER.test(prompt) ? verdict(true, 0.88) : unclear(0.5)
  // A program's output or a traversal is right or wrong.
  const each = EACH.test(prompt) && !PUTS_IN_ORDER.test(prompt)
  if (points <= 1 && !each && kind !== 'names' && (WHOLE.test(prompt) || !(ordered || TERMS.test(prompt))))
    return verdict(false, SURE_OF_WHOLE)
  const kept = longestInOrder(key, row)
  // One member is in order in any list; where none is missing, its place counts as much.
  const inOrder = kept.length > 1 || given.length < 2 ? kept.length : 0
  const right = each
    ? placed
    : complete
      ? placed && inOrder && (placed + inOrder - 1) / 2
      : kind === 'numbers'
        ? (placed + (inOrder || placed)) / 2
        : inOrder
  return listJudgement(right / size, SURE_OF_PART, kept)
}

const plain = (text: string) => text.toLowerCase().replace(/−/g, '-').replace(/\s+/g, ' ')

function directed(text: string, members: string[], isArrow: boolean): string[] {
  if (/←|<-(?![\d>])/.test(text)) return members.toReversed()
  return !isArrow && />/.test(text) && !/[-=]>|</.test(text) ? members.toReversed() : members
}

function comparison(kind: Kind, prompt: string, key: readonly string[]): (member: string, given: string) => boolean {
  if (kind === 'letters') return (member, given) => plain(member) === plain(given)
  if (kind === 'numbers') return (member, given) => judgeNumber('', [member], given).share >= 0.9
  // “Convention” for “National Convention”, where no other has that word.
  const words = key.flatMap(wordsOf)
  const shortened = (member: string, given: string) => {
    const own = wordsOf(member)
    const said = wordsOf(given)
    return (
      said.length > 0 && said.every((word) => own.includes(word) && words.indexOf(word) === words.lastIndexOf(word))
    )
  }
  return (member, given) =>
    ASKS_FOR_FORM.test(prompt)
      ? ` ${plain(given).replace(/[:'’]/g, ' ')}`.endsWith(` ${plain(member)}`)
      : sameMember(member, given) ||
        shortened(member, given) ||
        (judgeName(`What is it called? ${prompt}`, [member], given)?.share ?? 0) >= 0.9
}

function answeredMembers(key: string[], kind: Kind, prompt: string, answer: string): string[] {
  if (kind === 'letters') return lettersIn(answer, key, prompt)
  if (kind === 'numbers') return numbersIn(answer, key, prompt)
  const aside = answer.replace(/(?<=\S\s*)\(([^()]*)\)/g, (all, inside: string) =>
    key.some((member) => member.includes('(') || plain(inside).includes(plain(member))) ? all : ' ',
  )
  const written = expandAbbreviations(key.length > 2 ? expandInitials(aside, key) : aside, key)
  const members = membersOf(written, key)
  const within = membersWithin(key, answer, members)
  if (within) return within
  // “swim – swam – swum” repeats the question first.
  const told = members.slice(0, -key.length)
  const repeated =
    told.length === 1 &&
    prompt
      .toLowerCase()
      .match(/\p{L}{2,}/gu)
      ?.includes(plain(told[0] ?? ''))
  return repeated ? members.slice(1) : members
}

function numbersIn(answer: string, key: string[], prompt: string): string[] {
  const text = digitsForWords(plainMath(answer.replace(/(?<=\d\s*)\([^()]*\p{L}{2}[^()]*\)/gu, ' ')))
  if (/^\W*\d+(?:[./:]\d+){2,}\W*$/.test(text)) return text.match(/\d+/g) ?? []
  const labelled = text.match(/\p{L}\w*\s*=\s*-?[\d.]+\s*(?::|→|->)\s*(?=-?[.\d])/gu) ?? []
  const cleaned = text
    .replace(/\p{L}\w*\s*\([^()]*\)\s*[=:]/gu, ' ')
    .replace(/[[\](){}"]/g, ' ')
    // “54·3 = 162, 162·3 = 486”
    .replace(/(?<![\d.*/+%()-])\d[\d\s.*/+%()-]*=\s*(?=-?\d)/g, (all) => (/[*/+%-]/.test(all) ? ' ' : all))
    .replace(labelled.length > 1 ? /\p{L}\w*\s*=\s*-?[\d.]+\s*(?::|→|->)\s*(?=-?[.\d])/gu : /$^/, ' ')
    .replace(/\b(?:pass|step|row|line|iteration)\s+\d+\s*[:=]/gi, ' ')
    .replace(/\p{L}[\w ]*[=:](?!=)/gu, ' ')
    .replace(/(?<=\d)\s*-\s+(?=\d)|(?<=\d)-(?=\d)|\|/g, ' , ')
  const members = membersOf(cleaned, key)
    .flatMap((member) => (/^[-\d.\s]+$/.test(member) ? member.split(/\s+/) : [member]))
    .filter((member) => /\d/.test(member))
  // “3, 6, 12, 24, 48” for the next two of “3, 6, 12”.
  const told = members.slice(0, -key.length)
  return told.length > 1 && prompt.replace(/\s/g, '').includes(told.join(',')) ? members.slice(told.length) : members
}

function lettersIn(answer: string, key: readonly string[], prompt: string): string[] {
  const text = answer.normalize('NFKC')
  const words = text.match(/\p{L}+/gu) ?? []
  const [only = ''] = words
  if (
    words.length === 1 &&
    only.length > 1 &&
    [...only.toUpperCase()].every((one) => key.some((own) => plain(own) === plain(one)))
  )
    return [...only]
  const single = words.filter((word) => word.length === 1)
  const capital = single.filter((word) => word === word.toUpperCase())
  const letters = capital.length > 0 && words.length > single.length ? capital : single
  const items = itemsIn(prompt).filter(({ label }) => key.includes(label))
  const named =
    letters.length < 2 && items.length > 0
      ? membersOf(text).map((member) => itemNamed(member, items)?.label ?? member)
      : letters
  return /</.test(text) && !/>|-/.test(text) && !ASCENDING.test(prompt) ? named.toReversed() : named
}

function longestInOrder(key: readonly string[], same: readonly boolean[][]): string[] {
  const size = same[0]?.length ?? 0
  let above: string[][] = Array.from({ length: size + 1 }, () => [])
  for (const [i, member] of key.entries()) {
    const row: string[][] = [[]]
    for (let j = 0; j < size; j++) {
      const without = (above[j + 1]?.length ?? 0) >= (row[j]?.length ?? 0) ? above[j + 1] : row[j]
      row.push(same[i]?.[j] ? [...(above[j] ?? []), member] : (without ?? []))
    }
    above = row
  }
  return above[size] ?? []
}
