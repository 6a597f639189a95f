import type { QuestionKind } from '@assay/shared/rubrics.ts'

/** “Draw a conclusion” wants words; so does “Draw up a list”. */
const DRAWS =
  /^\W*(?:draw|sketch|plot|graph)\b(?!\s+(?:up|on|upon|from|out)\b)(?![^.?!]{0,30}\b(?:conclusions?|inferences?|attention|comparisons?|distinctions?|parallels?|lessons?|theory|theories)\b)/i
const SHADES = /^\W*shade\b/i
/** “Draw an arrow. Why does the water flow that way?”: part of the answer is in words. */
const ASKS_MORE = /\?|\b(?:why|explain|describe|calculate|state|find|give|comment)\b/i
const PROVES =
  /^\W*(?:\([a-z]\)\s*)?(?:prove\b(?!\s+(?:or disprove|wrong|right)\b)|give\s+(?:a|the)\s+(?:\w+\s+)?proof\b|write\s+(?:a|the)\s+(?:\w+\s+)?proof\b)/i
const ESSAY = /\b(?:write|compose|draft|in)\s+(?:an?|your)\s+(?:[\w-]+\s+){0,3}essay\b/i
const WORDS =
  /(?:\b(?:in|of|about|around|approximately|at\s+least|minimum(?:\s+of)?|between)\s+|^|[([])(\d{2,4})\s*(?:(?:-|–|to|and)\s*(\d{2,4})\s*)?words\b/i
/** “Discuss this statement”, “How far do you agree?”: marked by how it argues. */
const DISCUSSES =
  /\b(?:discuss|how\s+far\s+do\s+you\s+agree|to\s+what\s+extent|assess\s+the\s+view|evaluate\s+the\s+(?:statement|view|claim))\b/i
/** “Write a log entry. Write 30 to 50 words.” */
const COMPOSES = /\b(?:write|compose)\b[^?]*\b\d{2,3}\s*(?:(?:-|–|to|and)\s*\d{2,4}\s*)?words\b/is
const LEAST_ESSAY_POINTS = 4
/** A page of handwriting: answers of this length are judged as a whole. */
const ESSAY_WORDS = 200

/**
 * What a prompt asks for when comparing words cannot judge it: a drawing, or an essay or a proof. Null for everything
 * that does not clearly say so, since a question taken for one of these gets no points until a person decides.
 */
export function drawingOrEssay(prompt: string, points = 0): Extract<QuestionKind, 'drawing' | 'essay'> | null {
  if ((DRAWS.test(prompt) || SHADES.test(prompt)) && !ASKS_MORE.test(prompt)) return 'drawing'
  if (PROVES.test(prompt) || ESSAY.test(prompt)) return 'essay'
  if (points >= LEAST_ESSAY_POINTS && (DISCUSSES.test(prompt) || COMPOSES.test(prompt))) return 'essay'
  const [, from, to] = WORDS.exec(prompt) ?? []
  return from && Math.max(Number(from), Number(to ?? 0)) >= ESSAY_WORDS ? 'essay' : null
}
