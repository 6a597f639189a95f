import { reactivatePlatform } from '@assay/shared/lti/lti-platforms.ts'
import { syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { checkLmsScores } from '@assay/shared/lti/lti-scores.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KindName } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { buildLmsClass, override } from '../../../testing/lms-class.ts'
import { expectGradebookTold, expectNoRepeats } from '../../../testing/lms-week/expect-gradebook-told.ts'
import { type Hosting, RunningSchool } from '../../../testing/lms-week/running-school.ts'
import { STUDENTS, takeStep, type Week, type WeekStep, weekStep } from '../../../testing/lms-week/week-steps.ts'
import { registerLms } from '../../../testing/lti-records.ts'

/** More weeks than CI has, and others: see docs/testing.md. */
const weeks = Number(process.env.LMS_WEEKS ?? 6)
const seed = Number(process.env.LMS_WEEKS_SEED ?? 2026)
/** Those in which a process of its own is killed take longer. */
const killedWeeks = Math.ceil(weeks / 4)

const steps = { minLength: 8, maxLength: 22, size: 'max' } as const

const mostly = fc.constantFrom(true, true, true, false)
const quietly = { who: 0, link: 0, percent: 5, points: 1, yes: false, at: null, seconds: 12 }

async function begin(school: RunningSchool): Promise<Week> {
  const running = await school.startHere()
  const { api, lms } = school
  const admin = await buildPerson('admin')
  const platform = await registerLms(running, lms, { platform: { approved_by: admin.id } })
  const one = await buildLmsClass({ running }, api, lms, { students: STUDENTS, platform })
  lms.enrol(one.course, lms.addUser({ username: `teacher-${one.assignmentId}` }), 'Instructor')
  const percents = one.students.map((_, i) => 50 + 5 * i)
  for (const [i, { submissionId }] of one.students.entries()) await override(api, one, submissionId, percents[i] ?? 0)
  await school.stop()
  await school.start()
  const nothing = { published: false, setThere: new Set<number>(), interruptions: 0 }
  return { school, one, admin, percents, reasonsToRepeat: percents.map(() => 0), ...nothing }
}

/** Everything is up and on, one roster sync and one reading of the gradebook are made, and end. */
async function end({ school, one, admin }: Week): Promise<void> {
  school.mendLms()
  await school.stop()
  await school.startHere()
  const { api } = school
  const on = await api.as(admin).send(reactivatePlatform, { params: { platformId: one.platform._id } })
  expect(on.body.status, on.text).toBe('active')
  await school.settle()
  const teacher = school.api.as(one.teacher)
  const synced = await teacher.send(syncLmsRoster, { params: { courseId: one.courseId }, body: {} })
  expect(synced.status, synced.text).toBe(202)
  await school.settle()
}

async function read({ school, one }: Week): Promise<void> {
  await school.api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
  await school.settle()
}

async function live(kind: KindName, hosting: Hosting, publishedFirst: boolean, taken: WeekStep[]): Promise<void> {
  const school = await RunningSchool.open(kind, hosting)
  try {
    const week = await begin(school)
    // Most of what can go wrong needs something in the gradebook.
    if (publishedFirst) for (const step of ['publish', 'wait']) await takeStep(week, { ...quietly, step })
    for (const step of taken) await takeStep(week, step)
    await end(week)
    await read(week)
    await expectGradebookTold(week)
    expectNoRepeats(week)
    // And so it stays: nothing is sent again and again.
    const sent = school.lms.requestsTo('scores').length
    await read(week)
    await expectGradebookTold(week)
    expect(school.lms.requestsTo('scores')).toHaveLength(sent)
  } finally {
    await school.close()
  }
}

describe.each(['moodle', 'canvas'] as const)('after a week of a %s', (kind) => {
  it.each<[Hosting, number]>([
    ['stopped', weeks],
    ['killed', killedWeeks],
  ])(
    `what Assay says of the gradebook is what the gradebook says, with Assay %s at any step (%i weeks, seed ${seed})`,
    async (hosting, numRuns) => {
      const week = fc.asyncProperty(mostly, fc.array(weekStep, steps), (first, taken) =>
        live(kind, hosting, first, taken),
      )
      await fc.assert(week, { seed, numRuns, endOnFailure: process.env.LMS_WEEKS_SHRINK === undefined })
    },
    60_000 * Math.max(1, weeks),
  )
})
