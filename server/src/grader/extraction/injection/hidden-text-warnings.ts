import type { Paper } from '@assay/shared/papers.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import type { ReviewReason } from '../../grader.ts'
import { isNameFieldLine, normalizeText, type PlacedLine, placedLines, toEvidence } from '../../layout/paper-lines.ts'
import { findPromptInjections } from './prompt-injection.ts'

const MAX_NAME_LINE_LENGTH = 60

/** The blank's print and name fields may be hidden legitimately. */
export function hiddenTextWarnings(all: PlacedLine[], blank: Paper): ReviewReason[] {
  const printed = new Set(placedLines(blank).map((line) => normalizeText(line.text)))
  const hidden = all.filter(
    (line) =>
      line.hidden &&
      /[\p{L}\p{N}]{2}/u.test(line.text) &&
      !printed.has(normalizeText(line.text)) &&
      !(isNameFieldLine(line.text) && line.text.length <= MAX_NAME_LINE_LENGTH),
  )
  if (hidden.length === 0) return []
  const differing = hidden.filter((line) => line.hidden === 'other_words')
  const unseen = hidden.filter((line) => line.hidden !== 'other_words')
  const evidenceOf = (lines: PlacedLine[]) => lines.slice(0, 20).map(toEvidence)
  const quoted = (lines: PlacedLine[]) => `“${shorten(lines.map((line) => line.text).join('\n')).replace(/[.]$/, '')}”`
  const warnings: ReviewReason[] = []
  if (unseen.length > 0)
    warnings.push({
      code: 'hidden_text',
      message: `The paper contains hidden text: ${quoted(unseen)}. It was not counted.`,
      evidence: evidenceOf(unseen),
    })
  if (differing.length > 0)
    warnings.push({
      code: 'text_differs_from_page',
      message: `The file’s text differs from what the page shows: ${quoted(differing)}. Only what the page shows was counted.`,
      evidence: evidenceOf(differing),
    })
  if (findPromptInjections(hidden.map((line) => line.text).join('\n')).length > 0)
    warnings.push({
      code: 'instructions_to_grader',
      message: 'The hidden text gives instructions to the grader. They were not followed.',
      evidence: evidenceOf(hidden),
    })
  return warnings
}
