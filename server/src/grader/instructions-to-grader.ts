/**
 * Words in a paper that speak to whoever grades it instead of answering. Each pattern names both a grader (or its
 * instructions) and what it should do, so that “ignore air resistance” or “the model predicts” stay answers.
 */
const GRADER = String.raw`(?:grader|grading\s+(?:system|assistant|model|ai|bot|tool|software)|marker|examiner|(?:ai|llm|gpt|chatgpt|claude|gemini)(?:\s+(?:grader|model|assistant|system))?|language\s+model|automated\s+(?:grader|marker|system))`
const MARKS = String.raw`(?:points?|marks?|score|grade|credit)`
const PATTERNS = [
  String.raw`\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|other|your|the)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|rubrics?|guidelines?|grading|marking|answer\s+key|directions)\b`,
  String.raw`\b(?:give|award|assign|grant|mark|grade|score|rate)\b[^.!?\n]{0,50}\b(?:full|maximum|max|perfect|highest|top|100\s*%?|all\s+(?:the\s+)?)\s*(?:possible\s+)?${MARKS}?\b[^.!?\n]{0,30}\b(?:${MARKS}|paper|submission|student|answer|regardless|correct)\b`,
  String.raw`\b(?:give|award|assign|grant)\b[^.!?\n]{0,30}\b(?:me|this|him|her|them|(?:the|this)\s+(?:student|paper|submission|answer))\b[^.!?\n]{0,30}\b(?:${MARKS}|an?\s+a\+?|100)\b`,
  String.raw`\b(?:mark|grade|score|treat|consider|rate|evaluate)\b[^.!?\n]{0,30}\b(?:this|these|my|the|all|every)\b[^.!?\n]{0,20}\b(?:answers?|submission|paper|response|student|questions?)\b[^.!?\n]{0,25}\b(?:as\s+(?:fully\s+)?(?:correct|right|perfect|complete|excellent)|10\s*\/\s*10|100)`,
  String.raw`\b(?:you\s+are|act\s+as|pretend\s+(?:to\s+be|you)|as)\s+(?:now\s+)?(?:an?\s+|the\s+)?(?:[a-z]+\s+){0,2}${GRADER}\b`,
  String.raw`\b(?:note|message|instructions?|attention|dear|hey|hello|hi|to)\b[\s:,]{1,3}(?:to\s+|for\s+)?(?:the\s+|an?\s+|any\s+)?${GRADER}\b`,
  String.raw`\b${GRADER}\b[^.!?\n]{0,40}\b(?:must|should|shall|please|will|need\s+to|have\s+to|are\s+(?:to|instructed))\b[^.!?\n]{0,40}\b(?:give|award|assign|mark|grade|score|ignore|accept|output|respond|return|${MARKS})\b`,
  String.raw`\b(?:do\s+not|don't|never)\b[^.!?\n]{0,20}\b(?:deduct|take\s+off|subtract)\b[^.!?\n]{0,30}\b${MARKS}\b`,
  String.raw`\b(?:system\s*(?:prompt|message|instruction|override)|new\s+instructions?\s*:|<\/?(?:system|instructions?|assistant)>|\[(?:system|inst)\]|###\s*(?:system|instruction))`,
  String.raw`["']?(?:overall_)?(?:score|grade)["']?\s*[:=]\s*["']?(?:100\s*%?|10\s*\/\s*10|full|max(?:imum)?|a\+)`,
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
  // Same length as the text, so that places hold: look-alike spaces and breaks become plain spaces.
  const flat = text
    .slice(0, 40_000)
    .replace(/[\s\u200b-\u200d\ufeff\u00ad]/gu, ' ')
    .replace(/[’‘]/g, "'")
  const found: Instruction[] = []
  for (const pattern of PATTERNS) {
    for (const match of flat.matchAll(pattern)) {
      const from = sentenceStart(flat, match.index)
      const to = sentenceEnd(flat, match.index + match[0].length)
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

function sentenceStart(text: string, at: number): number {
  for (let i = at - 1; i >= 0 && i > at - 400; i--)
    if (/[.!?]/.test(text[i] ?? '') && text[i + 1] === ' ') return i + 1
  return Math.max(0, at - 400)
}

function sentenceEnd(text: string, from: number): number {
  for (let i = from; i < text.length && i < from + 400; i++) if (/[.!?]/.test(text[i] ?? '')) return i + 1
  return Math.min(text.length, from + 400)
}
