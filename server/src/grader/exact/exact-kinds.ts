import type { QuestionKind } from '@assay/shared/rubrics.ts'

export const EXACT_KINDS: ReadonlySet<QuestionKind> = new Set([
  'choice',
  'true_false',
  'number',
  'set',
  'ordered_list',
  'formula',
])
