import { askedFor, stemOf } from '../notation/judge-by-notation.ts'
import type { Scan, WrittenQuantity } from './scan-quantities.ts'

/** `compared`: “more than 5”; `ranged`: “5 to 6”; `hedged`: “about 5”; `several`: any may be meant. */
export interface Claim {
  stance: 'said' | 'denied' | 'compared' | 'ranged' | 'hedged' | 'several' | 'none'
  quantities: WrittenQuantity[]
  understood: boolean
  /** The number belongs to an unknown not solved for: `3x = 4`. */
  algebra: boolean
  after: string
}

const DENIED =
  /\b(?:not|never|cannot|no\s+longer|rather\s+than|instead\s+of|anything\s+but|except|neither|nor|without)\b|n't\b|≠|\bno\s+(?=#)/i
const REFUTED = /^\s*(?:is|are|was|would\s+be)?\s*(?:wrong|incorrect|false|impossible|not\b)/i
const COMPARED =
  /[<>≤≥]|\b(?:more|less|greater|fewer|bigger|smaller|higher|lower|larger|longer|shorter|over|under|above|below|beyond|before|after|until|exceeds?|at\s+(?:least|most)|up\s+to|upto|no\s+(?:more|less)|max(?:imum)?|min(?:imum)?|within)\b/i
const COMPARED_AFTER =
  /^\s*(?:\+|or\s+(?:more|less|fewer|above|over|under|higher|lower|greater|bigger|smaller|after|before)\b|and\s+(?:more|above|over|up|below)\b|(?:max|min)(?:imum)?\b|upwards)/i
const HEDGED =
  /≈|\b(?:about|approx\w*|around|roughly|nearly|almost|circa|ca|somewhere|close\s+to|just\s+(?:over|under))\b/i
const HEDGED_AFTER = /^\s*(?:ish\b|or\s+so\b|-ish\b|approx\w*|roughly|or\s+thereabouts)/i
const DOUBTED = /\?|\b(?:maybe|perhaps|probably|possibly|might|could|guess|unsure|either)\b/i
const RESULT =
  /\s*(?:\n+|;|\.(?=\s|$)|(?:,\s*)?\b(?:so|therefore|thus|hence|giving|gives?|gave|to\s+get|and\s+got|and\s+get|we\s+get|i\s+got|i\s+get|got|makes?|which\s+is|leaves?|(?:al)?together|in\s+total)\b|∴|⇒|⟹|=>|→|->)\s*/i
const REASON = /(?<=#.*)\b(?:because|of\s+which|since|as|cuz|bc|due\s+to|given|if\s+you|when\s+you|where)\b.*$/is
const MARKED = /\b(?:(?:final\s+)?(?:answer|ans|result|solution)s?)\b\s*(?:is|was|are|would\s+be)?\s*[:=-]*\s*(?=.*#)/gi
const FILLER = new Set(
  `the a an is are was were be been it its it's there that this they he she we you my your our i think believe know say would will has
  have had get gets got getting answer ans value number result solution total sum final equals equal equal to of for in on at with and
  so then than exactly precisely only just altogether overall left right each therefore hence thus yes ok which must need needs by
  from one as do did does can amount correct working calculation question dp sf sig fig figs decimal places place significant figures
  figure rounded round nearest whole integer also all`.split(/\s+/),
)
const NUMBER = /#(\d+)#/g
const ALGEBRA = /\d\s*\p{L}(?!\p{L})|(?<!\p{L})\p{L}(?!\p{L})\s*[*^+/]|[*+/^]\s*\p{L}(?!\p{L})/u

/** `label`: the key's unknown, whose value counts among several. `prompt`: its words are understood. */
export function readClaim({ skeleton, quantities }: Scan, label: string | null, prompt: string): Claim {
  const promptWords = new Set((prompt.toLowerCase().match(/\p{L}+/gu) ?? []).map(stemOf))
  const none: Claim = { stance: 'none', quantities: [], understood: false, algebra: false, after: '' }
  if (quantities.length === 0) return none
  const text = asidesDropped(
    skeleton
      .replace(/(?:\p{L}+\s*\([^()]*#[^()]*\)|\|[^|]*#[^|]*\|)(?=\s*=)/gu, ' ')
      .replace(/\b(?:anything|everything|all)\s+but\b/gi, 'not'),
    quantities,
  )
  const doubted = DOUBTED.test(text)
  const lastMark = [...text.matchAll(MARKED)].at(-1)
  const marked = lastMark ? text.slice(lastMark.index + lastMark[0].length) : null
  const clauses = (marked ?? text).split(new RegExp(RESULT, 'gi')).filter((clause) => clause.trim() !== '')
  const withNumbers = clauses.filter((clause) => /#/.test(clause))
  const chosen = (marked === null ? withNumbers.at(-1) : withNumbers[0]) ?? ''
  const clause = chosen.replace(REASON, '')
  const parts = partsOf(clause, quantities, promptWords)
  const named = label === null ? [] : parts.filter((part) => part.label === label)
  // “6P = 120, P = 20”: the steps are no answers.
  const stated =
    [(part: Part) => !part.algebra && !part.computed, (part: Part) => !part.algebra]
      .map((is) => parts.filter(is))
      .find((some) => some.length > 0) ?? []
  const heard = named.length > 0 ? named : stated.length > 0 ? stated : parts
  const earlier = marked === null ? withNumbers.slice(0, -1).filter((one) => isBareClaim(one, clauses, quantities)) : []
  const bare = earlier.flatMap((one) => partsOf(one, quantities, promptWords))
  const leftover = [...heard, ...bare].flatMap((part) => part.leftover)
  const words = clauses
    .filter((one) => !/#/.test(one))
    .flatMap((one) => one.toLowerCase().match(/\p{L}+/gu) ?? [])
    .filter((word) => !FILLER.has(word) && !promptWords.has(stemOf(word)))
  const understood = leftover.length === 0 && words.length === 0
  const said = unique([...heard, ...bare].filter((part) => part.stance === 'said').map((part) => part.quantity))
  const told = { understood, algebra: heard.some((part) => part.algebra), after: heard.at(-1)?.after ?? '' }
  if (said.length > 1) {
    const asked = askedFor(marked ?? text, prompt)
    const meant = asked === null || doubted ? undefined : quantities[asked]
    return meant && said.includes(meant)
      ? { ...told, stance: 'said', quantities: [meant], understood: false }
      : { ...told, stance: 'several', quantities: said }
  }
  const [first] = said
  if (first)
    return { ...told, stance: doubted ? 'hedged' : 'said', quantities: [first], understood: understood && !doubted }
  const last = heard.at(-1)
  return last ? { ...told, stance: last.stance, quantities: heard.map((part) => part.quantity) } : none
}

/** “12” on its own line or before the last sentence is a claim; “3x = 12” and “12 / 3” are working. */
const isBareClaim = (clause: string, all: string[], quantities: WrittenQuantity[]): boolean =>
  all.length > 1 &&
  !/[+*/^√(]/.test(quantities[Number(/#(\d+)#/.exec(clause)?.[1])]?.shape ?? '') &&
  /^\W*(?:[a-z]\s*=\s*)?#\d+#\W*$/i.test(clause.trim()) &&
  !/[=+*/^]/.test(clause.replace(/^\W*[a-z]\s*=/i, ''))

interface Part {
  stance: Claim['stance']
  quantity: WrittenQuantity
  label: string | null
  leftover: string[]
  after: string
  computed: boolean
  algebra: boolean
}

function partsOf(clause: string, quantities: WrittenQuantity[], promptWords: Set<string>): Part[] {
  const range =
    !/#[^=]*=[^=]*#\d+#\W*$/.test(clause) &&
    /\b(?:between|from)?\s*#(\d+)#\s*(?:-|\bto\b|\.\.+)\s*#(\d+)#|\bbetween\s*#(\d+)#\s*and\s*#(\d+)#/i.exec(clause)
  if (range) {
    const ends = [range[1] ?? range[3], range[2] ?? range[4]].map((i) => quantities[Number(i)])
    const bare = { label: null, leftover: [], after: '', computed: false, algebra: false }
    return ends.flatMap((quantity) => (quantity ? [{ ...bare, stance: 'ranged' as const, quantity }] : []))
  }
  return clause
    .split(
      /,(?!\d)|\bbut\b|\band\b|\bor\b(?!\s+(?:more|less|fewer|above|over|under|higher|lower|greater|bigger|smaller|so|there|after|before)\b)|\s\/\s(?![^=]*=)|&|\|/i,
    )
    .flatMap((text) => partOf(text, quantities, promptWords) ?? [])
}

function partOf(text: string, quantities: WrittenQuantity[], promptWords: Set<string>): Part | null {
  const plain = text.replace(
    /\b(?:equals?|is|are|was|makes)\b(?!\s*(?:not|n't|wrong|in|more|less|about|over|under))(?=[^#]*#)/gi,
    '=',
  )
  const members = plain.split(/[=≈]/)
  const own = members.findLast((member) => /#/.test(member))
  if (own === undefined) return null
  const found = [...own.matchAll(NUMBER)]
  const last = found.at(-1)
  const quantity = quantities[Number(last?.[1])]
  if (!last || !quantity) return null
  const before = own.slice(0, last.index)
  const behind = own.slice(last.index + last[0].length)
  const lead = plain.slice(0, plain.lastIndexOf(own)) + before
  const label =
    /(?:^|[^\p{L}\d])(\p{L})(?:_\w)?\s*[=≈<>≤≥≠]*\s*$/u.exec(
      plain.slice(0, plain.lastIndexOf(own)).replace(/[=≈]\s*$/, ''),
    )?.[1] ?? null
  const leftover = leftoverOf(`${lead} ${behind}`, promptWords)
  if (found.length > 1) leftover.push('#')
  const after = /^\s*([\p{L}]{2,})/u.exec(behind)?.[1] ?? ''
  const [left = ''] = members
  return {
    stance: stanceOf(lead, behind, quantity, promptWords),
    quantity,
    label,
    leftover,
    after,
    computed: members.length > 1 && own !== left && /#/.test(left),
    algebra:
      ALGEBRA.test(`${before} ${behind}`.replace(NUMBER, ' ')) ||
      (members.length === 2 && own !== left && ALGEBRA.test((left.split(':').at(-1) ?? '').replace(NUMBER, ' '))),
  }
}

function stanceOf(lead: string, behind: string, quantity: WrittenQuantity, promptWords: Set<string>): Claim['stance'] {
  if (DENIED.test(lead) || REFUTED.test(behind)) return 'denied'
  if (COMPARED_AFTER.test(behind)) return 'compared'
  const compared = COMPARED.exec(lead)?.[0].toLowerCase()
  // “The maximum height is 5 m” compares nothing where a maximum is asked for.
  if (
    compared &&
    (/[<>≤≥]|^at|^up|^no/.test(compared) || !promptWords.has(stemOf(compared)) || /\bthan\s*$/i.test(lead))
  )
    return 'compared'
  if (/^-?n-n$/.test(quantity.shape) && (quantity.parts[1] ?? 0) > (quantity.parts[0] ?? 0)) return 'ranged'
  return HEDGED.test(lead) || HEDGED_AFTER.test(behind) ? 'hedged' : 'said'
}

function leftoverOf(text: string, promptWords: Set<string>): string[] {
  const plain = [HEDGED, COMPARED, DENIED].reduce((rest, known) => rest.replace(known, ' '), text)
  const words = (plain.toLowerCase().match(/[\p{L}']+/gu) ?? []).filter(
    (word) => word.length > 1 && !FILLER.has(word) && !promptWords.has(stemOf(word)),
  )
  const signs = text.replace(NUMBER, ' ').match(/[\d+*/^]|\p{L}_/gu) ?? []
  return [...words, ...signs]
}

function asidesDropped(skeleton: string, quantities: WrittenQuantity[]): string {
  return skeleton.replace(
    /(#(\d+)#)?([^#()]*)\(([^()]*)\)/g,
    (all, number: string | undefined, index: string, between: string, aside: string) => {
      const inside = [...aside.matchAll(NUMBER)].map((match) => quantities[Number(match[1])])
      if (inside.length === 0) return number || aside.trim().length < 30 ? `${number ?? ''}${between}` : all
      if (number === undefined) return all
      const value = quantities[Number(index)]?.value
      const working = /=/.test(aside) || inside.every((one) => one?.form === 'expression' || one?.form === 'fraction')
      const again =
        inside.every((one) => one?.value === value) || (inside.length > 2 && inside.some((one) => one?.value === value))
      const rounding = /\b(?:d\.?p|s\.?f|dec|sig|nearest|places)/i.test(aside)
      const explains = /\p{L}{3}/u.test(aside.replace(/\b(?:or|maybe|not)\b.*/i, ''))
      return working || again || rounding || explains ? `${number}${between}` : `${number}${between}, ${aside}`
    },
  )
}

const unique = (all: WrittenQuantity[]): WrittenQuantity[] =>
  [...Map.groupBy(all, ({ value, unit }) => `${value} ${unit?.written ?? ''}`).values()].flatMap(
    ([first]) => first ?? [],
  )
