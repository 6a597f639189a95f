import { withDoubtfulResults } from '@assay/shared/rules/rubric-problems.ts'
import { z } from 'zod'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { changeRubricProblems } from '../assignments/stored-rubric.ts'
import { openStoredRubric } from '../rubrics/open-stored-rubric.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { countGrades } from '../submissions/submission-grading.ts'
import { notifyQuestionChanged } from './after-decision.ts'
import { doubtfulResults, resultsOf } from './doubtful-results.ts'
import { findQuestionAnswers } from './question-answers.ts'

const projection = { name: 'project-answers', payload: z.object({ assignmentId: z.number() }) } as const

/**
 * Projects and groups the answers when a run ends, so that nobody who opens a question of thousands has to wait, and
 * looks for questions whose results make their key doubtful.
 */
export function answerProjectionWork({ jobs, events, log }: Pick<Services, 'jobs' | 'events' | 'log'>): BackgroundWork {
  events.onLocal('assignment_completion', ({ assignmentId }) => {
    const job = { key: String(assignmentId), group: `project/${assignmentId}`, payload: { assignmentId } }
    // Otherwise the first to open a question waits.
    jobs.trigger(projection, [job]).catch((error) => log.error({ err: error }, 'answers were not projected'))
  })
  return {
    jobs: [
      defineJob({
        ...projection,
        pool: 'cpu',
        attempts: 2,
        async run({ assignmentId }, signal) {
          const assignment = await findAssignment(assignmentId)
          if (!assignment?.rubric) return
          const results = []
          for (const question of assignment.rubric.questions) {
            if (signal.aborted) return
            results.push(resultsOf(await findQuestionAnswers(assignment, question)))
          }
          const versions = await outdatedVersions(assignment)
          const { outdated } = await countGrades(assignmentId, [...versions.keys()])
          // Points by another key say nothing of this one. They are regraded by a run, and this is run after it.
          if (outdated > 0) return
          const found = doubtfulResults(results)
          const { questions } = assignment.rubric
          await changeRubricProblems(assignment, (problems) =>
            withDoubtfulResults(openStoredRubric({ questions, problems: [...problems] }).problems, found),
          )
          for (const { question_id = '' } of found) notifyQuestionChanged(assignment, question_id, null, { events })
        },
      }),
    ],
  }
}
