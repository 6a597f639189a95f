import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take tens of seconds, the longest first. Others take long in proportion to their size, more or less. */
const longest = [
  'server/src/papers/reading/hostile-files.test.ts',
  'server/src/features/runs/hostile-papers.test.ts',
  'server/src/papers/ocr/ocr.test.ts',
  'server/src/access.test.ts',
  'tests/adversarial/adversarial.test.ts',
  'server/src/features/lti/scores/lms-week.test.ts',
  'server/src/features/questions/question-changes-crash.test.ts',
  'server/src/maintenance/personal-data/erasure/erasure-crash.test.ts',
  'server/src/features/runs/run-crash.test.ts',
  'server/src/maintenance/backup/restore.test.ts',
  'server/src/features/lti/scores/score-crash.test.ts',
  'server/src/features/runs/llm-run-crash.test.ts',
  'server/src/papers/reading/reading-pool.test.ts',
  'server/src/anonymous-grading.test.ts',
  'server/src/features/rubrics/handwritten-key.test.ts',
  'server/src/features/demo/seed-demo.test.ts',
  'server/src/features/grade-approvals/grade-approvals-crash.test.ts',
  'server/src/features/rubric-amendments/amendments.test.ts',
  'server/src/api-doc.test.ts',
  'server/src/features/lti/roster/roster-crash.test.ts',
  'server/src/features/runs/run-handwritten-key-crash.test.ts',
  'server/src/features/lti/roster/roster-large-course.test.ts',
  'server/src/grader/extraction/scanned-worksheet.test.ts',
  'server/src/features/rubrics/rubric-generation-crash.test.ts',
  'tests/journeys/thirty-papers.test.ts',
  'tests/journeys/lms/reload.test.ts',
  'tests/journeys/gateway.test.ts',
  'tests/journeys/llm.test.ts',
  'tests/journeys/lms/workflow.test.ts',
  'tests/journeys/errors.test.ts',
]

/** So that the last file to run is a short one, and no worker waits long for another. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b))
  }
}

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

const ranks = new Map(longest.map((path, rank) => [join(import.meta.dirname, path), rank]))
for (const file of ranks.keys())
  if (!existsSync(file)) throw new Error(`vitest.sequencer.ts names ${file}, which is not there`)

const rankOf = ({ moduleId }: TestSpecification): number => ranks.get(moduleId) ?? longest.length
