import { answerPlaceLayouts } from './answer-place-layouts.ts'
import type { ExamLayout } from './exam-layout.ts'
import { keyLayouts } from './key-layouts.ts'
import { choiceKeyLayouts, markSchemeLayouts } from './mark-scheme-layouts.ts'
import { mixedLayouts } from './mixed-layouts.ts'
import { numberingLayouts } from './numbering-layouts.ts'
import { pointsLayouts } from './points-layouts.ts'
import { solutionLayouts } from './solution-layouts.ts'

export const examLayouts: ExamLayout[] = [
  ...numberingLayouts,
  ...pointsLayouts,
  ...answerPlaceLayouts,
  ...keyLayouts,
  ...markSchemeLayouts,
  ...choiceKeyLayouts,
  ...mixedLayouts,
  ...solutionLayouts,
]
