import type { QuestionKind } from '@assay/shared/rubrics.ts'
import { judgeChoice, judgeNumber, judgeTrueFalse } from './exact-answers.ts'
import { judgeFormula } from './judge-formula.ts'
import type { Judgement } from './judgement.ts'
import { judgeOrder, judgeSet } from './list-answers.ts'

/** An answer that is right or wrong by rule; null for kinds that are a matter of degree. */
export function judgeExactly(kind: QuestionKind, prompt: string, accepted: string[], answer: string): Judgement | null {
  switch (kind) {
    case 'choice':
      return judgeChoice(prompt, accepted, answer)
    case 'true_false':
      return judgeTrueFalse(accepted, answer)
    case 'number':
      return judgeNumber(prompt, accepted, answer)
    case 'set':
      return judgeSet(accepted, answer)
    case 'ordered_list':
      return judgeOrder(accepted, answer)
    case 'formula':
      return judgeFormula(prompt, accepted, answer)
    default:
      return null
  }
}
