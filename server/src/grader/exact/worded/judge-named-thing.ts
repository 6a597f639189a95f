import { isNegated } from '../../text/negation.ts'
import { isStopWord } from '../../text/terms.ts'
import { exactJudgement, UNSURE } from '../exact-judgement.ts'
import { type Judgement, listJudgement } from '../judgement.ts'
import { type Mention, mentionsIn, type NamedThing, subscriptsDown, thingNamed } from './named-things.ts'

const SURE = 0.93
const NOT_ALL_UNDERSTOOD = 0.8
const ASKS_FOR_SIGN = /\b(?:symbols?|formulae?|formulas|notation)\b/i
const FILLER =
  /^(?:gas|gases|element|metal|solution|atoms?|molecules?|ions?|particles?|radiation|rays?|letter|greek|symbol|name|called|answer|dilute|concentrated|aqueous|liquid|solid|acid|compound|x|y)$/i
const MOST_WORDS = 10

/** By name or sign; null where the answer names nothing of the kind. */
export function judgeNamedThing(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map((key) => keysOf(key, prompt)).filter((key) => key !== null)
  if (keys.length === 0 || answer.length > 200) return null
  const families = new Set(keys.flat().map((key) => key.family))
  const plain = subscriptsDown(answer)
  const words = plain.match(/\p{L}+/gu) ?? []
  const mentions = mentionsIn(plain, words.length <= 5 || /\bsymbol\b/i.test(prompt)).filter(({ thing }) =>
    families.has(thing.family),
  )
  const lone = thingNamed(answer)
  const things = mentions.map(({ thing }) => thing)
  if (things.length === 0 && lone && families.has(lone.family)) things.push(lone)
  if (things.length === 0 || words.length > MOST_WORDS) return null
  if (isNegated(answer)) return exactJudgement(0, UNSURE, 'unclear')
  const understood = isUnderstood(prompt, plain, mentions)
  // A slip in a name leaves the name of something else: “carbon dioxid”.
  if (!understood && !keys.flat().some((key) => things.some(({ id }) => id === key.id))) return null
  const beside = /(?:\(|,\s|[-–—]\s|\bsymbol\s+(?:is\s+)?)\s*([A-Z][A-Za-z]?)\b/.exec(plain)
  const sign = beside?.[1]
  const cased = sign && `${sign[0]}${sign.slice(1).toLowerCase()}`
  if (
    cased &&
    cased !== sign &&
    keys.some((key) => key.some(({ id }) => thingNamed(cased)?.id === id)) &&
    !thingNamed(sign)
  )
    return exactJudgement(0.5, UNSURE, 'unclear')
  if (sign !== undefined && keys.every((key) => key.every(({ id }) => thingNamed(sign)?.id !== id)))
    return exactJudgement(0, 0.75, 'exact_wrong')
  const judged = keys.map((key) =>
    judgeAgainst(key, things, prompt, understood, words.length, /\bor\b|\//.test(answer)),
  )
  const best = judged.reduce((one, other) => (other.share > one.share ? other : one))
  // What else is accepted is not of this kind.
  return best.share < 1 && keys.length < accepted.length ? null : best
}

function judgeAgainst(
  key: NamedThing[],
  things: NamedThing[],
  prompt: string,
  understood: boolean,
  length: number,
  either: boolean,
): Judgement {
  // “Potassium, K”: both are asked for.
  const both = key.length === 2 && key[0]?.id === key[1]?.id
  const meets = (wanted: NamedThing, thing: NamedThing) =>
    wanted.id === thing.id && (both ? wanted.form === thing.form : fits(wanted, thing, prompt))
  const found = key.filter((wanted) => things.some((thing) => meets(wanted, thing)))
  const others = things.filter((thing) => !found.some(({ id }) => id === thing.id))
  if (found.length === key.length && others.length === 0)
    return exactJudgement(1, understood ? SURE : NOT_ALL_UNDERSTOOD, 'exact_right')
  if (key.length > 1 && found.length > 0)
    return listJudgement(
      Math.max(0, found.length - Math.max(0, things.length - key.length)) / key.length,
      [],
      [],
      NOT_ALL_UNDERSTOOD,
    )
  if (found.length > 0) return either ? exactJudgement(0, 0.8, 'exact_wrong') : exactJudgement(0.25, UNSURE, 'unclear')
  const sameThing = things.some((thing) => key.some((wanted) => wanted.id === thing.id))
  return exactJudgement(0, sameThing || length > 4 ? 0.75 : 0.9, 'exact_wrong')
}

/** Only the prompt's own words, and such as “gas”, are beside the things. */
function isUnderstood(prompt: string, plain: string, mentions: Mention[]): boolean {
  const known = new Set((prompt.toLowerCase().match(/\p{L}+/gu) ?? []).map((word) => word.replace(/s$/, '')))
  const left = mentions
    .toReversed()
    .reduce((text, { from, to }) => `${text.slice(0, from)} ${text.slice(to)}`, plain)
    .match(/\p{L}{2,}/gu)
  return (left ?? []).every(
    (word) => isStopWord(word.toLowerCase()) || FILLER.test(word) || known.has(word.toLowerCase().replace(/s$/, '')),
  )
}

/** “Carbon dioxide and water”: each of them. */
function keysOf(text: string, prompt: string): NamedThing[] | null {
  const [, name = '', sign = ''] = /^(.+?)\s*\(([^()]+)\)\.?$/.exec(text.trim()) ?? []
  const pair = [thingNamed(name), thingNamed(sign)].filter((thing) => thing !== null)
  if (pair.length === 2 && /\bsymbol\b/i.test(prompt)) return pair
  const one = keyOf(text)
  if (one) return [one]
  const parts = text.length > 80 ? [] : text.split(/\s*(?:[,;&]|\s\+\s|\band\b)\s*/i).filter((part) => part !== '')
  const things = parts.map(keyOf)
  return parts.length > 1 && things.every((thing) => thing !== null) ? things : null
}

/** “Carbon dioxide”, “CO₂ gas”, “K (potassium)”. */
function keyOf(text: string): NamedThing | null {
  const plain = text.trim().replace(/^(?:the|an?)\s+/i, '')
  const [, first = '', second = ''] = /^(.+?)\s*\(([^()]+)\)\.?$/.exec(plain) ?? []
  const both = second === '' ? null : thingNamed(first)
  if (both && thingNamed(second)?.id === both.id) return both
  return thingNamed(plain.replace(/\s+(?:gas|solution|particles?|radiation|rays?|metal|atoms?)\.?$/i, ''))
}

/** Where a formula is asked for, a name is none; and O is not O₂. */
function fits(key: NamedThing, given: NamedThing, prompt: string): boolean {
  return key.form === given.form || !(key.form === 'sign' && given.family === 'substance' && ASKS_FOR_SIGN.test(prompt))
}
