import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { getLmsScores, type LmsScore, listLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { afterEach } from 'vitest'
import type { Course, Person as LmsPerson } from '../../../tests/fake-lms/data/lms-data.ts'
import type { LineItem, Link } from '../../../tests/fake-lms/data/records.ts'
import { type FakeLms, startFakeLms } from '../../../tests/fake-lms/fake-lms.ts'
import { type KindName, ROLE } from '../../../tests/fake-lms/lms-kinds.ts'
import type { LtiContextDoc } from '../records/lti/context.model.ts'
import type { LtiPlatformDoc } from '../records/lti/platform.model.ts'
import type { LtiResourceLinkDoc } from '../records/lti/resource-link.model.ts'
import type { UserDoc } from '../records/people/user.model.ts'
import type { RunningServer } from '../start.ts'
import { buildAssignment, buildCourse, decideGrade } from './build-course.ts'
import { buildManySubmissions } from './build-many-submissions.ts'
import { linkAssignment, linkCourse, linkStudent, registerLms, toolOf } from './lti-records.ts'
import { type Api, type Person, useTestApi } from './server.ts'

interface LmsRecords {
  lms: FakeLms
  platform: LtiPlatformDoc
  course: Course
  context: LtiContextDoc
  link: Link
  ourLink: LtiResourceLinkDoc
  item: LineItem
  teacher: Person
  courseId: number
  assignmentId: number
  /** In the same order. */
  students: { person: LmsPerson; account: UserDoc; submissionId: number }[]
}

const callsOf = (api: Api, one: LmsRecords) => ({
  publish: () => publish(api, one),
  publishAndDeliver: () => publishAndDeliver(api, one),
  waitForDelivery: () => waitForScoreDelivery(api, one),
  override: (submissionId: number, score: number, notes?: string) => override(api, one, submissionId, score, notes),
  scores: () => scoresOf(api, one),
  scoreRows: () => scoreRowsOf(api, one),
})

export type LmsClass = LmsRecords & ReturnType<typeof callsOf>

interface Options {
  students?: number
  /** Of the LMS's own line item; null for a link without one. */
  scoreMaximum?: number | null
  platform?: LtiPlatformDoc
}

type Server = { readonly running: Pick<RunningServer, 'url' | 'services'> }

export async function buildLmsClass(
  server: Server,
  api: Api,
  lms: FakeLms,
  { students = 3, scoreMaximum = 20, ...given }: Options = {},
): Promise<LmsClass> {
  const platform = given.platform ?? (await registerLms(server.running, lms))
  const { instructor: teacher, courseId } = await buildCourse(api, { students: 0 })
  const { assignmentId } = await buildAssignment(api, { instructor: teacher, courseId }, [])
  const course = lms.addCourse()
  const people = Array.from({ length: students }, (_, i) =>
    lms.addUser({ username: `s${i}-${randomUUID().slice(0, 8)}`, roles: [ROLE.institutionStudent] }),
  )
  for (const person of people) lms.enrol(course, person, 'Learner')
  const context = await linkCourse(lms, platform, course, courseId)
  const accounts = await Promise.all(people.map((person) => linkStudent(platform, context, person)))
  const papers = await buildManySubmissions(assignmentId, students, {
    studentIds: accounts.map(({ _id, username }) => ({ id: _id, username })),
    graded: 1,
  })
  const deployment = lms.deploymentOf(toolOf(lms, platform))
  const link = lms.addLink(course, { deployment, ...(scoreMaximum === null ? {} : { scoreMaximum }) })
  const ourLink = await linkAssignment(lms, context, link, assignmentId)
  const [item] = lms.lineItemsOf(link)
  const one: LmsRecords = {
    ...{ lms, platform, course, context, link, ourLink, teacher, courseId, assignmentId },
    item: item as LineItem,
    students: people.map((person, i) => ({
      person,
      account: accounts[i] as UserDoc,
      submissionId: papers[i] as number,
    })),
  }
  return { ...one, ...callsOf(api, one) }
}

export const studentOf = ({ students }: LmsRecords, i: number) => {
  const student = students[i]
  if (!student) throw new Error(`no student ${i}`)
  return student
}

export async function publish(api: Api, { teacher, assignmentId }: LmsRecords): Promise<void> {
  const reply = await api.as(teacher).send(publishAssignment, { params: { assignmentId } })
  if (reply.status !== 200) throw new Error(`not published: ${reply.text}`)
}

export async function override(
  api: Api,
  { teacher, assignmentId }: LmsRecords,
  submissionId: number,
  overall_score: number,
  human_review_notes: string | null = null,
): Promise<void> {
  await decideGrade(api.as(teacher), { assignmentId, submissionId }, { overall_score, human_review_notes })
}

export async function scoresOf(api: Api, { teacher, assignmentId }: LmsRecords) {
  return (await api.as(teacher).send(getLmsScores, { params: { assignmentId } })).body
}

export async function scoreRowsOfLinks(api: Api, { teacher, assignmentId }: LmsRecords): Promise<LmsScore[]> {
  return (await api.as(teacher).send(listLmsScores, { params: { assignmentId }, query: { limit: 500 } })).body
}

export async function scoreRowsOf(api: Api, one: LmsRecords): Promise<(LmsScore | undefined)[]> {
  const rows = await scoreRowsOfLinks(api, one)
  return one.students.map(({ account }) => rows.find((row) => row.student_id === account._id))
}

export async function waitForScoreDelivery(api: Api, one: LmsRecords): Promise<void> {
  const until = Date.now() + 180_000
  for (;;) {
    const { links } = await scoresOf(api, one)
    const counts = links.map((link) => link.counts)
    const open = counts.reduce((sum, { waiting, sending }) => sum + waiting + sending, 0)
    const all = counts.reduce((sum, { sent, refused, off }) => sum + sent + refused + off, 0)
    if (open === 0 && all > 0) return
    if (Date.now() > until) throw new Error(`not settled: ${JSON.stringify(links)}`)
    await setTimeout(50)
  }
}

export async function publishAndDeliver(api: Api, one: LmsRecords): Promise<void> {
  await publish(api, one)
  await waitForScoreDelivery(api, one)
}

export const gradebookOf = ({ item, students }: LmsRecords): (number | null)[] =>
  students.map(({ person }) => item.grades.get(person.id)?.points ?? null)

export const scoreCountsOf = ({ lms, item, students }: LmsRecords): number[] =>
  students.map(({ person }) => lms.acceptedScoreCount(item, person))

export function useFakeLmss(): (kind: KindName) => Promise<FakeLms> {
  const running: FakeLms[] = []
  afterEach(async () => {
    for (const lms of running.splice(0)) await lms.close()
  })
  return async (kind) => {
    const lms = await startFakeLms({ kind })
    running.push(lms)
    return lms
  }
}

export function useLmsClasses(...started: Parameters<typeof useTestApi>) {
  const { api, server } = useTestApi(...started)
  const lmsOf = useFakeLmss()
  const classOf = async (kind: KindName = 'moodle', options: Options = {}) =>
    buildLmsClass(server, api, await lmsOf(kind), { students: 2, ...options })
  return { api, server, lmsOf, classOf }
}
