import { isRootList } from '../../exact/list-key.ts'
import type { KeyAnswer, MarkingPoint } from './key-lines.ts'

export const ACCEPT =
  /^\W*(?:(?:also|or|but|please)\s+)?(?:accept(?:able|ed|s)?(?:\s+also)?|allow|condone|credit|alternatives?(?:\s+answers?)?|alternatively)\b(?!\s+(?:missing|omissions?|omitted|lack|absence|poor|incorrect|wrong|slips?|errors?)\b)\s*(?:answers?\s+such\s+as\s+)?[:\s]\s*/i
const MARK_VERB =
  /^(?:(?:award\s+)?(?:\d+\s*(?:points?|pts?|marks?)\s*)?(?:for\s+)?)?(?:(?:the\s+)?(?:student|answer)\s+)?(?:mentions?|mentioning|states?|stating|explains?|explaining|identifies|identifying|says?|saying|names?|naming|gives?|giving|describes?|describing|notes?|noting|includes?|including|recogni[sz]es|recogni[sz]ing)\s+(?:that\s+)?/i
export const GUIDANCE =
  /^\W*(?:do\s+not|don['’]t|not\b|no\s+(?:credit|marks?)|reject|ignore|penali[sz]e|deduct|follow[\s-]?through|ecf\b|ft\b|must\s+see|owtte|any\s+(?:working|sensible|valid|reasonable|correct)|an\s+answer\s+of|\d+\s*(?:marks?|points?|pts?)\s+(?:for|if|each|off)\b|(?:half|full|partial|no)\s+(?:credit|marks?|points?)\b|(?:condone|allow|accept)\s+(?:missing|omissions?|omitted|lack|absence|poor|incorrect|wrong|slips?|errors?)\b|minus\s+\d\b|(?:one|two|three|up\s+to|max(?:imum)?)\s+(?:\w+\s+)?marks?\b|award\b|using\s+.{1,60}\bscores?\b|if\s+.{1,80}\b(?:scores?|marks?)\b)|\bscores?\s+\d\s+marks?\b|\b(?:gets?|scores?)\s+[MAB]\d/i
/** “(accept metaphor)”, “; also accept rationing, lottery”. */
const INLINE_ACCEPT =
  /[([]\s*(?:(?:also|or)\s+)?(?:accept(?:able|ed)?|allow|or)(?:\s+also)?\s*:?\s+([^)\]]+)[)\]]|[;,]\s*(?:(?:also|or)\s+)?(?:accept(?:able|ed)?|allow)(?:\s+also)?\s*:?\s+([^)\];.]+)/gi

export function takeInline(text: string, answer: KeyAnswer): string {
  return text
    .replace(INLINE_ACCEPT, (_, bracketed?: string, after?: string) => {
      answer.alternatives.push(...splitListed(bracketed ?? after ?? ''))
      return ' '
    })
    .replace(
      /\(((?:\d+|one|two)\s*(?:marks?|points?|pts?)\s+(?:if|for|each|per|off)\b[^)]*|(?:mark|accept)\s+(?:only\s+)?(?:the\s+)?first\s[^)]*|[^()]*\bfor\s+(?:half|partial|some|full)\s+(?:credit|marks?|points?)|moles[^)]*=\s*1[^)]*)\)/gi,
      (_, note: string) => {
        answer.notes.push(note)
        return ' '
      },
    )
}

/** False where the sentence is part of the answer. */
export function takeGuidance(sentence: string, answer: KeyAnswer): boolean {
  const text = sentence.trim()
  if (text === '') return true
  if (ACCEPT.test(text)) {
    const forMarks = /\s+for\s+(?:\w+\s+)?(?:\d+|one|two|three|the\s+\w+)\s+marks?(?:\s+only)?\b.*$|\s+if\s+.{3,60}$/i
    const plain = text.replace(ACCEPT, '').replace(forMarks, '')
    // What earns only some of the marks is for a person to weigh.
    if (forMarks.test(text)) answer.notes.push(text)
    else answer.alternatives.push(...splitListed(plain))
    return true
  }
  if (!GUIDANCE.test(text)) return false
  answer.notes.push(text)
  return true
}

/** Notes in the margin run on over several lines; each begins with a word of its own. */
export const splitGuidance = (text: string): string[] =>
  text.split(
    /(?<!\bnot)(?<!\balso)\s+(?=(?:allow|accept|ignore|reject|do\s+not|an\s+answer\s+of|using\s+\d|ecf)\b|\S+\s+scores?\s+[MAB]\d)/i,
  )

export const splitSentences = (text: string): string[] =>
  text.split(
    /(?<=\b\d+\s+(?:marks?|points?|pts?)\s+for\s+each\b[^.:;]{0,60}:;?)\s+|\s+(?=\d+\s+(?:marks?|points?|pts?)\s+(?:for|each|per)\s)|(?<=[.;)!?])\s+(?=(?:accept|also|allow|ignore|reject|do\s+not|any\s+working|award|\d+\s+(?:marks?|points?|pts?)\s+(?:for|if|each|off)|(?:half|full|partial)\s+credit|follow[\s-]?through|e\.?c\.?f)\b)|(?<=(?:marks?|detail|each|two)[^.]{0,60}[.;])\s+(?=\p{Lu})/iu,
  )

export function pointOf(text: string, points: number, code?: string): MarkingPoint {
  const notes: KeyAnswer = { expected: '', alternatives: [], criteria: [], points: null, levels: [], notes: [] }
  const plain = tidy(takeInline(text, notes))
  const [expected = '', ...others] = splitAlternatives(plain.replace(MARK_VERB, '').replace(/^for\s+/i, '') || plain)
  return {
    text: plain,
    expected,
    alternatives: [...others, ...notes.alternatives],
    points,
    ...(code ? { code: code.slice(0, 1).toUpperCase() } : {}),
  }
}

const OR_WORD = /(?<!\b(?:plus|more|whether|one))\s+or\s+(?!(?:minus|less|not|more)\b)/i
const OR_OR_SLASH = new RegExp(String.raw`${OR_WORD.source}|\s+\/\s+(?!\d)`, 'i')

/** “fizzes / floats”, “friction or air resistance”; “x = 2 or x = −3” is one answer of two roots. */
export function splitAlternatives(text: string): string[] {
  if (isRootList(text)) return [text]
  const either = text.split(/\s+OR:?\s+|\s*;\s+or\s+/).map(tidy)
  if (either.length > 1) return either.filter((part) => part !== '')
  // “plus or minus” and “more or less” say one thing.
  const parts = text.split(text.includes('=') ? OR_WORD : OR_OR_SLASH).map(tidy)
  const short = parts.every((part) => part.split(/\s+/).length <= 6 && part !== '')
  if (parts.length > 1 && short) return parts
  const slashed = /^\p{L}{3,}(?:\/\p{L}{3,})+$/u.test(text) ? text.split('/') : []
  return slashed.length > 1 ? slashed : [text]
}

export const splitListed = (text: string): string[] =>
  text
    .split(/\s*[;,]\s+(?:or\s+)?|\s+or\s+|\s+\/\s+/)
    .map(tidy)
    .filter((part) => part !== '')

export const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/^[;,:]\s*|[;,:\s]+$/g, '')
    .trim()
