/**
 * Words in a paper that speak to whoever grades it instead of answering. Each pattern names both a grader (or its
 * instructions) and what it should do, so that “ignore air resistance” or “the model predicts” stay answers.
 */
const GRADER = String.raw`(?:grader|grading\s+(?:system|assistant|model|ai|bot|tool|software)|marker|examiner|(?:ai|llm|gpt|chatgpt|claude|gemini)(?:\s+(?:grader|model|assistant|system))?|language\s+model|automated\s+(?:grader|marker|system))`
const MARKS = '(?:points?|marks?|score|grade|credit)'
const PATTERNS = [
  String.raw`\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|other|your|the)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|rubrics?|guidelines?|grading|marking|answer\s+key)\b`,
  String.raw`\b(?:give|award|assign|grant|mark|grade|score|rate)\b[^.!?\n]{0,50}\b(?:full|maximum|max|perfect|highest|top|100\s*%?|all\s+(?:the\s+)?)\s*(?:possible\s+)?${MARKS}?\b[^.!?\n]{0,30}\b(?:${MARKS}|paper|submission|student|answer|regardless|correct)\b`,
  String.raw`\b(?:give|award|assign|grant)\b[^.!?\n]{0,30}\b(?:me|this|him|her|them|(?:the|this)\s+(?:student|paper|submission|answer))\b[^.!?\n]{0,30}\b(?:${MARKS}|an?\s+a\+?|100)\b`,
  String.raw`\b(?:mark|grade|score|treat|consider|rate|evaluate)\b[^.!?\n]{0,30}\b(?:this|these|my|the|all|every)\b[^.!?\n]{0,20}\b(?:answers?|submission|paper|response|student|questions?)\b[^.!?\n]{0,25}\b(?:as\s+(?:fully\s+)?(?:correct|right|perfect|complete|excellent)|10\s*\/\s*10|100)`,
  String.raw`\b(?:you\s+are|act\s+as|pretend\s+(?:to\s+be|you))\s+(?:now\s+)?(?:an?\s+|the\s+)?(?:[a-z]+\s+){0,2}${GRADER}\b`,
  String.raw`\bas\s+an?\s+(?:[a-z]+\s+)?(?:ai|llm|automated|language)\s+(?:grader|model|assistant|system|marker)\b`,
  String.raw`\b(?:note|message|instructions?|attention|dear|hey|hello|hi)\b[\s:,]{1,3}(?:to\s+|for\s+)?(?:the\s+|an?\s+|any\s+)?${GRADER}\b`,
  String.raw`\bto\s+(?:the\s+|any\s+|whoever\s+is\s+)?(?:grader|grading|marker|examiner|ai\s+grader)\b[^.!?\n]{0,10}[:,]`,
  String.raw`\b${GRADER}\b[^.!?\n]{0,40}\b(?:must|should|shall|please|will|need\s+to|have\s+to|are\s+(?:to|instructed))\b[^.!?\n]{0,40}\b(?:award|assign|accept\s+(?:this|my)|output\s+(?:a|the|full|max)|mark|grade|score|ignore|${MARKS})\b`,
  String.raw`\b(?:do\s+not|don't|never)\b[^.!?\n]{0,20}\b(?:deduct|take\s+off|subtract)\b[^.!?\n]{0,30}\b${MARKS}\b`,
  String.raw`\bsystem\s+(?:prompt|message|override)\b|\bnew\s+(?:system\s+)?instructions?\s*:|(?:<\/?(?:system|instructions?|assistant)>|\[(?:system|inst)\]|###\s*(?:system|instruction))`,
  String.raw`(?:["'](?:score|grade)["']|\boverall_score["']?)\s*[:=]\s*["']?\d`,
  String.raw`\b(?:score|grade|mark)\s*:\s*(?:100\s*%|10\s*\/\s*10|full|max(?:imum)?\b|a\+)`,
  String.raw`\bthis\s+(?:answer|submission|paper|response)\s+(?:is|deserves|should\s+(?:get|receive|be\s+(?:given|awarded)))\b[^.!?\n]{0,20}\b(?:full|maximum|perfect|100)\b`,
].map((source) => new RegExp(source, 'giu'))

export interface Instruction {
  /** The whole sentence. */
  text: string
  from: number
  to: number
}

/** The sentences of a text that are meant for the grader, in order. Spaces and line breaks may be anywhere. */
export function findInstructions(text: string): Instruction[] {
  const { flat, places } = flatten(text.slice(0, 40_000))
  const found: Instruction[] = []
  for (const pattern of PATTERNS) {
    for (const match of flat.matchAll(pattern)) {
      const from = places[sentenceStart(flat, match.index)] ?? 0
      const to = (places[sentenceEnd(flat, match.index + match[0].length) - 1] ?? text.length - 1) + 1
      found.push({ text: text.slice(from, to).trim(), from, to })
    }
  }
  found.sort((a, b) => a.from - b.from || b.to - a.to)
  const merged: Instruction[] = []
  for (const one of found) {
    const last = merged.at(-1)
    if (last && one.from <= last.to) {
      last.to = Math.max(last.to, one.to)
      last.text = text.slice(last.from, last.to).trim()
    } else merged.push({ ...one })
  }
  return merged
}

/** Breaks become spaces and letters of no width go (“ig\u200bnore”); `places` says where each letter stood. */
function flatten(text: string): { flat: string; places: number[] } {
  let flat = ''
  const places: number[] = []
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? ''
    if (/[\u200b-\u200f\u2060\ufeff\u00ad]/.test(letter)) continue
    flat += /\s/.test(letter) ? ' ' : letter === '’' || letter === '‘' ? "'" : letter
    places.push(i)
  }
  return { flat, places }
}

function sentenceStart(text: string, at: number): number {
  for (let i = at - 1; i >= 0 && i > at - 400; i--)
    if (/[.!?]/.test(text[i] ?? '') && text[i + 1] === ' ') return i + 1
  return Math.max(0, at - 400)
}

function sentenceEnd(text: string, from: number): number {
  for (let i = from; i < text.length && i < from + 400; i++) if (/[.!?]/.test(text[i] ?? '')) return i + 1
  return Math.min(text.length, from + 400)
}
