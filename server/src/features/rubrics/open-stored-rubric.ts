import type { Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { generalProblem } from '@assay/shared/rules/rubric-problems.ts'

/** Before problems had codes they were sentences; those are remarks now. */
export function openStoredRubric(rubric: Rubric): Rubric {
  const stored: (RubricProblem | string)[] = rubric.problems
  if (stored.every((problem) => typeof problem !== 'string')) return rubric
  const problems = stored.map((problem) =>
    typeof problem === 'string' ? generalProblem(problem, rubric.questions) : problem,
  )
  return { ...rubric, problems }
}
