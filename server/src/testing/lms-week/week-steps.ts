import { publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import { deactivatePlatform, reactivatePlatform } from '@assay/shared/lti/lti-platforms.ts'
import { syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { checkLmsScores, sendLmsScores } from '@assay/shared/lti/lti-scores.ts'
import fc from 'fast-check'
import type { Service } from '../../../../tests/fake-lms/request-log.ts'
import type { Person } from '../api.ts'
import { type LmsClass, override } from '../lms-class.ts'
import type { RunningSchool } from './running-school.ts'

export const STUDENTS = 4

/** What may happen in a week, and how often beside the others. */
const frequencies = {
  ...{ unenrol: 4, enrol: 5, launch: 2, publish: 4, unpublish: 1, 'override here': 3, 'override there': 6 },
  ...{ 'add an activity': 2, 'delete an activity': 1, 'deactivate the LMS': 1, 'reactivate the LMS': 2 },
  ...{ 'LMS down': 2, 'LMS up': 3, 'kill Assay': 2, 'start Assay': 3 },
  ...{ 'sync the roster': 3, 'read the gradebook': 2, 'send again': 1, wait: 5 },
}
const names = Object.entries(frequencies).flatMap(([name, often]) => Array<string>(often).fill(name))

export interface WeekStep {
  step: string
  /** A student, by number. */
  who: number
  link: number
  percent: number
  points: number
  /** Of unpublishing: scores are cleared. Of an end: what was asked last is done, and nobody hears of it. */
  yes: boolean
  /** Where Assay is killed; null at once. */
  at: Service | null
  seconds: number
}

export const weekStep: fc.Arbitrary<WeekStep> = fc.record({
  step: fc.constantFrom(...names),
  who: fc.nat(STUDENTS - 1),
  link: fc.nat(3),
  percent: fc.integer({ min: 1, max: 20 }).map((n) => 5 * n),
  points: fc.integer({ min: 1, max: 39 }).map((n) => n / 2),
  yes: fc.boolean(),
  at: fc.option(fc.constantFrom<Service>('scores', 'results', 'members', 'lineItem', 'token')),
  seconds: fc.constantFrom(0, 12, 60),
})

/** What people have done, as far as it says what Assay may do. */
export interface Week {
  school: RunningSchool
  one: LmsClass
  admin: Person
  published: boolean
  /** In percent, as the teacher decided last. */
  percents: number[]
  /** How often each student's grades were dropped in the LMS, or somebody asked for all to be sent again. */
  reasonsToRepeat: number[]
  /** Students whose grade somebody has set in the LMS, and how often something ended before it had its answer. */
  setThere: Set<number>
  interruptions: number
}

const memberOf = ({ one }: Week, index: number) => {
  const student = one.students[index]
  return student && one.course.members.has(student.person.id) ? student.person : null
}

const linkOf = ({ school, one }: Week, n: number) => {
  const links = [...school.lms.links.values()].filter(({ course }) => course === one.course)
  return links[n % Math.max(1, links.length)]
}

const expectNoBug = ({ status, text }: { status: number; text: string }) => {
  if (status >= 500) throw new Error(text)
  return status
}

/** Does one step, where it is possible at the moment. */
export async function takeStep(week: Week, step: WeekStep): Promise<void> {
  const { school, one } = week
  const { lms } = school
  switch (step.step) {
    case 'unenrol': {
      const person = memberOf(week, step.who)
      if (!person) return
      if (lms.kind.name === 'moodle') week.reasonsToRepeat[step.who] = (week.reasonsToRepeat[step.who] ?? 0) + 1
      return lms.unenrol(one.course, person)
    }
    case 'enrol': {
      const student = one.students[step.who]
      if (student && !memberOf(week, step.who)) lms.enrol(one.course, student.person, 'Learner')
      return
    }
    case 'override there': {
      const [person, found] = [memberOf(week, step.who), linkOf(week, step.link)]
      const [item] = found ? lms.lineItemsOf(found) : []
      if (!person || !item) return
      week.setThere.add(step.who)
      return lms.overrideGrade(item, person, step.points)
    }
    case 'delete an activity': {
      const found = linkOf(week, step.link)
      if (found) lms.deleteLink(found)
      return
    }
    case 'LMS down':
      week.interruptions++
      return school.breakLms(step.yes)
    case 'LMS up':
      return school.mendLms()
    case 'kill Assay':
      if (!school.assay) return
      week.interruptions++
      return step.at ? school.stopAt(step.at, step.yes) : school.stop()
    case 'start Assay':
      return school.start()
    case 'wait':
      if (school.assay) await school.idle()
      school.pass(step.seconds * 1000)
      if (school.assay) await school.idle()
      return
    default:
      if (school.assay) await askAssay(week, step)
  }
}

/** Steps that need Assay. */
async function askAssay(week: Week, step: WeekStep): Promise<void> {
  const { school, one, admin } = week
  const { api, lms } = school
  const teacher = api.as(one.teacher)
  const params = { assignmentId: one.assignmentId }
  const platform = { params: { platformId: one.platform._id } }
  switch (step.step) {
    case 'publish':
      expectNoBug(await teacher.send(publishAssignment, { params }))
      week.published = true
      return
    case 'unpublish':
      if (!week.published) return
      expectNoBug(await teacher.send(unpublishAssignment, { params, body: { clear_lms_scores: step.yes } }))
      week.published = false
      return
    case 'override here':
      await override(api, one, one.students[step.who]?.submissionId ?? 0, step.percent)
      week.percents[step.who] = step.percent
      return
    case 'launch':
    case 'add an activity': {
      const person = memberOf(week, step.who)
      const custom = { assignment_id: String(one.assignmentId) }
      const { deployment } = one.link
      const found =
        step.step === 'launch'
          ? linkOf(week, step.link)
          : lms.addLink(one.course, { deployment, custom, scoreMaximum: 10 })
      if (person && found && !school.isLmsDown) await lms.launcher().go({ as: person, link: found })
      return
    }
    case 'deactivate the LMS':
      return void expectNoBug(await api.as(admin).send(deactivatePlatform, platform))
    case 'reactivate the LMS':
      return void expectNoBug(await api.as(admin).send(reactivatePlatform, platform))
    case 'sync the roster':
      return void expectNoBug(await teacher.send(syncLmsRoster, { params: { courseId: one.courseId }, body: {} }))
    case 'read the gradebook':
      return void expectNoBug(await teacher.send(checkLmsScores, { params }))
    case 'send again':
      week.reasonsToRepeat = week.reasonsToRepeat.map((reasons) => reasons + 1)
      return void expectNoBug(await teacher.send(sendLmsScores, { params }))
  }
}
